import { describe, expect, it } from 'vitest';
import { createMock, SeedError } from '../../src/index.ts';

/* What the author of a seed or a saved state reads. No text of the validation library reaches them. */

const shop = { id: 'org_shop' };
const account = { id: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21', name: 'Main' };
const savedState = createMock().state() as Record<string, unknown>;

const fillFirst = (fields: object): object => ({ organizations: [{ ...shop, ...fields }] });

function problem(document: unknown): string {
  try {
    createMock({ state: document });
  } catch (error) {
    expect(error).toBeInstanceOf(SeedError);
    return (error as SeedError).message;
  }
  throw new Error('The document was accepted.');
}

const cases: readonly (readonly [document: unknown, message: string])[] = [
  [{ organizations: [{}] }, 'organizations[0].id is required.'],
  [{ organizations: [{ id: 1 }] }, 'organizations[0].id must be of type string.'],
  [{ organizations: [{ id: ' ' }] }, 'organizations[0].id must have at least 1 character.'],
  [{ organizations: [] }, 'organizations must have at least 1 item.'],
  [{ organizations: 'x' }, 'organizations must be of type array.'],
  [
    fillFirst({ tags: [{ name: 'VIP', color: 'red' }] }),
    'organizations[0].tags[0].color must be one of neutral, blue, purple, brown, pink, orange, green.',
  ],
  [{ ...fillFirst({}), version: 2 }, 'version must be 1.'],
  [fillFirst({ runtime: 'on' }), 'organizations[0].runtime must be one of up, down.'],
  [fillFirst({ studio: 'yes' }), 'organizations[0].studio must be of type boolean.'],
  [fillFirst({ credits: { allowance: -1 } }), 'organizations[0].credits.allowance must be at least 0.'],
  [
    fillFirst({ sites: [{ id: 'a', keywordLimit: 1.5 }] }),
    'organizations[0].sites[0].keywordLimit must be an integer.',
  ],
  [
    fillFirst({ sites: [{ id: 'a', keywords: [5] }] }),
    'organizations[0].sites[0].keywords[0] must be of type string or object.',
  ],
  [
    fillFirst({ sites: [{ id: 'a', keywords: [{ group: 'x' }] }] }),
    'organizations[0].sites[0].keywords[0].keyword is required.',
  ],
  [
    fillFirst({ sites: [{ id: 'a', keywords: ['x'.repeat(500)] }] }),
    'organizations[0].sites[0].keywords[0] must have at most 80 characters.',
  ],
  [
    fillFirst({ accounts: [{ name: 'Main', createdAt: 'soon' }] }),
    'organizations[0].accounts[0].createdAt must be a date and time, such as 2026-05-01T00:00:00Z.',
  ],
  [
    fillFirst({ keys: [{ key: 'a b', name: 'x', scope: 'read' }] }),
    'organizations[0].keys[0].key must be printable ASCII without spaces.',
  ],
  [
    fillFirst({ accounts: [{ ...account, createdAt: '2026-01-02T09:00:00' }] }),
    'organizations[0].accounts[0].createdAt must have a time zone: 2026-01-02T09:00:00Z if it is in UTC.',
  ],
  [
    fillFirst({
      accounts: [account],
      friends: ['f1', 'f2'].map((userId) => ({
        ...{ accountId: account.id, userId, displayName: userId },
        messages: [{ id: 'same', direction: 'incoming', text: 'x', sentAt: '2026-01-01' }],
      })),
    }),
    'organizations[0].friends[1].messages[0].id: Duplicate id "',
  ],
  [
    fillFirst({ accounts: [{ ...account, createdAt: '2026-02-30' }] }),
    'organizations[0].accounts[0].createdAt must be a day that exists: 2026-02 has 28 days.',
  ],
  [
    fillFirst({ accounts: [{ ...account, id: 'main street' }], missingIds: [5] }),
    'organizations[0].missingIds[0] must be of type string.',
  ],
  [fillFirst({ templates: [{ name: 'a', messages: [{ type: 'video' }] }] }), 'organizations[0].templates[0]'],
  [
    fillFirst({ accounts: [{ ...account, colour: 'x' }] }),
    'organizations[0].accounts[0] has unknown fields: colour. It accepts id, name, createdAt.',
  ],
  [
    { ...fillFirst({}), plans: { gold: { monthlyRequest: 1 } } },
    'plans.gold has unknown fields: monthlyRequest. It accepts apiAccess, monthlyRequests, keywords. plans.gold.monthlyRequests is required.',
  ],
  [
    { ...fillFirst({}), extra: 1 },
    'The seed has unknown fields: extra. It accepts format, version, plans, onDelete, organizations.',
  ],
  [{ ...savedState, extra: 1 }, 'The saved state has unknown fields: extra. It accepts format, '],
  [{ ...savedState, audit: undefined }, 'audit is required.'],
  [{ organizations: Array(12).fill({}) }, 'organizations[9].id is required. 2 more problems.'],
  [{ organizations: Array(11).fill({}) }, 'organizations[9].id is required. 1 more problem.'],
];
describe('the message about an invalid world', () => {
  it.each(cases.map(([document, message]) => ({ document, message })))(
    '$message',
    ({ document, message }) => {
      const text = problem(document);
      expect(text).toContain(message);
      expect(text).toMatch(/^[^\n]*\.$/);
      expect(text).not.toMatch(
        /Invalid (input|option|key|element|string|ISO)|expected|received|Too (small|big)/,
      );
    },
  );
  it('gives programs the path of the problem that it names first', () => {
    const create = () => createMock({ state: fillFirst({ accounts: [{ name: '', color: 'x' }] }) });
    expect(create).toThrow(/^organizations\[0\]\.accounts\[0\] has unknown fields: color\./);
    expect(create).toThrow(expect.objectContaining({ path: ['organizations', 0, 'accounts', 0] }));
  });
});
