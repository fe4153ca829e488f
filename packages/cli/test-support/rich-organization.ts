import type { SeedDocument } from '@orgchat/mock-server';

type Organization = SeedDocument['organizations'][number];

const at = (day: number): string => new Date(Date.UTC(2026, 0, day, 9)).toISOString();

/** A UUID that only this organization has. */
export const ownId = (number: number): string =>
  `5eed${number.toString(16).padStart(4, '0')}-c0de-4bad-8ace-0ddba11cafe5`;
const ownFriend = (number: number): string => `U${ownId(number).replaceAll('-', '')}`;

/**
 * An organization with a text in every place that takes one, and with every kind of reference. `text` is called for each
 * place with the kind of text that fits there.
 */
export function createRichOrganization(text: (kind: 'text' | 'host' | 'word') => string): Organization {
  const page = ownId(40);
  const uris = [
    `https://${text('host')}/shop?ref=${text('word')}`,
    `{link:${page}}`,
    `{miniapp:/${text('word')}}`,
  ];
  const blocks = [
    { type: 'text' as const, text: `${text('text')} {link:${page}} https://${text('host')}/` },
    { type: 'image' as const, imageId: ownId(90) },
    {
      type: 'card' as const,
      altText: text('text'),
      color: '#ff8800',
      cards: uris.map((uri) => ({
        imageId: ownId(91),
        title: text('text'),
        text: text('text'),
        buttons: [
          { label: text('text'), action: { type: 'uri' as const, uri } },
          { label: text('text'), action: { type: 'message' as const, text: text('text') } },
        ],
      })),
    },
  ];
  const [shop, salon] = [ownId(1), ownId(2)];
  const field = text('word');
  const option = text('text');
  return {
    id: `org_${text('word')}`,
    keys: [
      { key: 'real-secret-key', name: text('text'), scope: 'read' },
      { key: 'demo-write-key', name: text('text'), scope: 'write' },
    ],
    credits: { allowance: 500, used: 12 },
    accounts: [
      { id: shop, name: text('text'), createdAt: at(1) },
      { id: salon, name: text('text'), createdAt: at(2) },
    ],
    tags: [10, 11, 12].map((id, day) => ({
      id: ownId(id),
      name: text('text'),
      color: 'pink',
      createdAt: at(day + 3),
    })),
    templates: [
      { id: ownId(15), name: text('text'), text: `${text('text')} {link:${page}}`, createdAt: at(3) },
    ],
    'auto-replies': [
      {
        id: ownId(20),
        accountId: shop,
        keyword: text('text'),
        matchType: 'contains',
        responseText: text('text'),
        content: blocks,
        active: true,
        createdAt: at(4),
      },
    ],
    scenarios: [
      {
        id: ownId(25),
        name: text('text'),
        accountId: null,
        trigger: 'tag',
        triggerTagId: ownId(10),
        active: true,
        createdAt: at(5),
        steps: [
          {
            delayValue: 1,
            delayUnit: 'days',
            sendTime: '09:30',
            text: text('text'),
            timingMode: 'elapsed',
            condition: { type: 'tag_exists', tagId: ownId(11) },
            nextStepOnFalse: null,
          },
          {
            delayValue: 2,
            delayUnit: 'hours',
            sendTime: null,
            text: text('text'),
            content: blocks,
            condition: { type: 'metadata_equals', key: text('text'), value: text('text') },
          },
        ],
      },
    ],
    forms: [
      {
        id: ownId(30),
        accountId: shop,
        name: text('text'),
        title: text('text'),
        description: text('text'),
        fields: [
          {
            key: field,
            label: text('text'),
            type: 'checkbox',
            required: true,
            options: [option, text('text')],
            placeholder: text('text'),
          },
        ],
        submitTagId: ownId(10),
        submitScenarioId: ownId(25),
        saveToProfile: true,
        thanksText: text('text'),
        active: true,
        createdAt: at(6),
        submissions: [
          {
            id: ownId(31),
            accountId: shop,
            userId: ownFriend(51),
            values: { [field]: [option] },
            submittedAt: at(20),
          },
          {
            id: ownId(32),
            accountId: shop,
            userId: ownFriend(50),
            values: { [field]: text('text') },
            submittedAt: at(21),
          },
        ],
      },
    ],
    'rich-menus': [
      {
        id: ownId(35),
        accountId: shop,
        name: text('text'),
        chatBarText: text('word').slice(0, 14),
        size: 'large',
        template: text('text'),
        areas: [
          ...uris.map((uri) => ({
            x: 0,
            y: 0,
            width: 10,
            height: 20,
            action: { type: 'uri' as const, uri, label: text('text') },
          })),
          {
            x: 0,
            y: 0,
            width: 10,
            height: 20,
            action: { type: 'message', text: text('text'), label: text('text') },
          },
          {
            x: 0,
            y: 0,
            width: 10,
            height: 20,
            action: { type: 'switch', menuId: ownId(35), label: text('text') },
          },
        ],
        design: { style: 'tiles', color: '#1f6feb', areas: [{ icon: text('text'), caption: text('text') }] },
        createdAt: at(7),
      },
    ],
    links: [
      {
        id: page,
        name: text('text'),
        url: `https://${text('host')}/${text('word')}`,
        // A tag that was deleted: the service keeps the reference.
        tagId: ownId(99),
        scenarioId: ownId(25),
        createdAt: at(8),
        clicks: [
          { id: ownId(41), accountId: salon, userId: ownFriend(50), clickedAt: at(22) },
          { id: ownId(42), accountId: null, userId: null, clickedAt: at(23) },
        ],
      },
    ],
    missingIds: [ownId(99)],
    routes: [
      {
        id: ownId(45),
        accountId: salon,
        name: text('text'),
        tagId: ownId(12),
        scenarioId: null,
        createdAt: at(9),
      },
    ],
    broadcasts: [
      {
        id: ownId(47),
        accountId: shop,
        title: text('text'),
        messages: blocks,
        target: 'tags',
        tagIds: [ownId(10), ownId(12)],
        scheduledAt: null,
        accountIds: [shop, salon],
        createdAt: at(10),
      },
    ],
    friends: [50, 51, 52].map((id, index) => ({
      accountId: index === 1 ? salon : shop,
      userId: ownFriend(id),
      displayName: text('text'),
      status: 'in_progress',
      notes: text('text'),
      tagIds: [ownId(10 + index)],
      createdAt: at(11 + index),
      messages: [1, 2].map((n) => ({
        id: ownId(60 + index * 10 + n),
        direction: n === 1 ? 'incoming' : 'outgoing',
        text: `${text('text')} mail@${text('host')}`,
        sentAt: at(14 + index * 2 + n),
      })),
      automations: [
        { id: ownId(80 + index), scenarioId: ownId(25), status: 'active', nextStep: 1, enrolledAt: at(16) },
      ],
    })),
    projects: [
      {
        id: ownId(92),
        name: text('text'),
        description: text('text'),
        updatedAt: at(20),
        documents: [
          {
            id: ownId(93),
            title: text('text'),
            kind: 'brand',
            updatedAt: at(18),
            body: `# ${text('text')}\n\n- ${text('text')}\n`,
          },
        ],
      },
    ],
  };
}

/** Texts that say where they come from, each of them once. */
export function createTexts(): { texts: string[]; text: Parameters<typeof createRichOrganization>[0] } {
  const texts: string[] = [];
  const text = (kind: 'text' | 'host' | 'word'): string => {
    const n = texts.length;
    const next = { text: `Könïg 千葉 ${n}q`, host: `host${n}.acme-shop.jp`, word: `secretword${n}` }[kind];
    texts.push(next);
    return next;
  };
  return { texts, text };
}
