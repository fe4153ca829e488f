import type { SeedDocument } from '@orgchat/mock-server';

/* A small organization, with which the server and the model start. Every record has an id. */

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const at = (n: number): string => `2026-01-${String(n).padStart(2, '0')}T00:00:00.000Z`;
const userId = (n: number): string => `U${String(n).padStart(32, '0')}`;

/** The start time of every run: ten minutes before the end of a month, so that some runs reach the next month. */
export const start = Date.parse('2026-03-31T23:50:00.000Z');

export const keys = {
  writer: 'writer-key',
  other: 'other-key',
  reader: 'reader-key',
  viewer: 'viewer-key',
  /** Its creator is assigned to one of the two accounts. */
  assigned: 'assigned-key',
} as const;

export const accountIds = [id(1), id(2)] as const;
const [shop, salon] = accountIds;

const kept = (n: number) => ({ createdAt: at(n), updatedAt: at(n) });

const friend = (n: number, accountId: string, displayName: string) => ({
  accountId,
  userId: userId(n),
  displayName,
  status: 'unread' as const,
  notes: n === 1 ? 'Likes mornings.' : null,
  tagIds: n === 1 ? [id(11)] : [],
  ...kept(n),
  messages:
    n === 3
      ? []
      : [
          { id: id(100 + n), direction: 'incoming' as const, text: `Hello from ${n}`, sentAt: at(10 + n) },
          { id: id(200 + n), direction: 'outgoing' as const, text: 'Welcome', sentAt: at(20 - n) },
        ],
  automations:
    n === 2
      ? [
          {
            id: id(300),
            scenarioId: id(21),
            scenarioName: 'Hello',
            status: 'completed' as const,
            nextStep: 1,
            enrolledAt: at(9),
          },
        ]
      : [],
});

const organization = {
  id: 'org_model',
  name: 'Model organization',
  plan: 'business',
  credits: { allowance: 10, used: 3, resetsAt: '2026-06-01T00:00:00.000Z' },
  keys: [
    { key: keys.writer, name: 'Writer', scope: 'write' as const },
    { key: keys.other, name: 'Other', scope: 'write' as const },
    { key: keys.reader, name: 'Reader', scope: 'read' as const },
    { key: keys.viewer, name: 'Viewer', scope: 'write' as const, editor: false },
    { key: keys.assigned, name: 'Assigned', scope: 'write' as const, accountIds: [shop] },
  ],
  sites: [
    {
      id: 'site-a',
      keywordLimit: 6,
      keywords: [{ keyword: 'first', group: 'old', addedAt: at(1) }],
    },
    { id: 'site b', keywordLimit: 1000 },
  ],
  accounts: [
    { id: shop, name: 'Shop', createdAt: at(1) },
    { id: salon, name: 'Salon', createdAt: at(2) },
  ],
  tags: [
    { id: id(11), name: 'VIP', color: 'pink' as const, ...kept(3) },
    { id: id(12), name: 'News', color: 'blue' as const, ...kept(4) },
  ],
  templates: [{ id: id(15), name: 'Welcome', text: 'Hello', ...kept(4) }],
  scenarios: [
    {
      id: id(21),
      name: 'Hello',
      accountId: salon,
      trigger: 'manual' as const,
      triggerTagId: null,
      active: false,
      steps: [{ delayValue: 0, delayUnit: 'minutes' as const, sendTime: null, text: 'Hello' }],
      ...kept(5),
    },
  ],
  links: [
    {
      id: id(31),
      name: 'Page',
      url: 'https://example.com',
      tagId: null,
      scenarioId: null,
      ...kept(6),
      clicks: [
        { id: id(401), accountId: shop, userId: userId(1), clickedAt: at(7) },
        { id: id(402), accountId: salon, userId: userId(3), clickedAt: at(8) },
        { id: id(403), accountId: null, userId: null, clickedAt: at(9) },
      ],
    },
  ],
  friends: [friend(1, shop, 'Aiko'), friend(2, shop, 'Ben AIKEN'), friend(3, salon, '千佳')],
};

export const seed = {
  format: 'orgchat-seed',
  version: 1,
  organizations: [organization],
} satisfies SeedDocument;

export { organization };
