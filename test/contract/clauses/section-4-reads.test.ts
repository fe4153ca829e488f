import { describe, expect, it } from 'vitest';
import { data, nobody, shop } from '../../../packages/mock-server/test-support/data.ts';
import { validator } from '../../../spec/test-support/document.ts';
import { listVariants, serve } from './service.ts';

const { caller } = serve();
const friendId = `U${'0'.repeat(32)}`;

/** The variants of a read: clause, resource, other fields, required fields. */
const variants: readonly [string, string, string[], string[]][] = [
  ['4.3.6', 'accounts', [], []],
  ...Object.keys(data).map((resource): [string, string, string[], string[]] => [
    '4.3.7',
    resource,
    ['id', 'offset', 'limit'],
    [],
  ]),
  ['4.3.8', 'friends', ['accountId', 'userId', 'search', 'offset', 'limit'], []],
  ['4.3.9', 'conversations', ['accountId'], []],
  ['4.3.10', 'messages', ['accountId', 'userId', 'limit'], ['accountId', 'userId']],
  ['4.3.11', 'form-submissions', ['id'], ['id']],
  ['4.3.12', 'friend-automations', ['accountId', 'userId'], ['accountId', 'userId']],
  ['4.3.13', 'link-clicks', ['id'], ['id']],
];
const values: Record<string, unknown> = {
  id: nobody,
  accountId: shop,
  userId: friendId,
  search: 'x',
  offset: 0,
  limit: 1,
};

describe('section 4.3: chat reads', () => {
  it('[4.3.4] [4.3.5] [4.3.2] there are these sixteen resources', () => {
    expect(listVariants('ChatReadInput').sort()).toEqual(variants.map(([, resource]) => resource).sort());
  });

  it.each(variants)('[%s, 4.3.3] %s accepts %j and requires %j', async (_, resource, fields, required) => {
    const needed = Object.fromEntries(required.map((name) => [name, values[name]]));
    const status = async (input: object): Promise<number> =>
      (await caller.read({ resource, ...input })).status;
    // The record may not exist: 404 comes after the check of the body, 400 is that check.
    expect(await status(needed)).not.toBe(400);
    for (const [name, value] of Object.entries(values)) {
      expect({ name, refused: (await status({ ...needed, [name]: value })) === 400 }).toEqual({
        name,
        refused: !fields.includes(name),
      });
    }
    for (const name of required) expect(await status({ ...needed, [name]: undefined }), name).toBe(400);
  });

  const uuids = {
    good: [nobody, nobody.toUpperCase()],
    bad: ['', 'x', nobody.slice(1), ` ${nobody}`, 1, null],
  };
  const friends = { good: [friendId], bad: ['U1', friendId.toLowerCase(), `${friendId}0`, 1, null] };
  it.each<[string, string, string, object, { good: unknown[]; bad: unknown[] }]>([
    ['4.3.14', 'id', 'tags', {}, uuids],
    ['4.3.14', 'id', 'form-submissions', {}, uuids],
    ['4.3.14', 'id', 'link-clicks', {}, uuids],
    ['4.3.15', 'accountId', 'friends', {}, uuids],
    ['4.3.15', 'accountId', 'conversations', {}, uuids],
    ['4.3.15', 'accountId', 'messages', { userId: friendId }, uuids],
    ['4.3.16', 'userId', 'friends', {}, friends],
    ['4.3.16', 'userId', 'friend-automations', { accountId: shop }, friends],
    ['4.3.17', 'search', 'friends', {}, { good: ['', '😀'.repeat(100)], bad: ['x'.repeat(101), 1, null] }],
    ['4.3.18', 'offset', 'links', {}, { good: [0, 1_000_000], bad: [-1, 1_000_001, 0.5, '0', null] }],
    ['4.3.19', 'limit', 'links', {}, { good: [1, 50], bad: [0, 51, 1.5, '1', null] }],
    ['4.3.19', 'limit', 'messages', { accountId: shop, userId: friendId }, { good: [1, 50], bad: [0, 51] }],
  ])(
    '[%s] %s of %s: accepts what the clause allows and nothing else',
    async (_, field, resource, rest, of) => {
      const judge = validator('#/components/schemas/ChatReadInput');
      for (const [expected, list] of [
        [true, of.good],
        [false, of.bad],
      ] as const) {
        for (const value of list) {
          const input = { resource, ...rest, [field]: value };
          const { status } = await caller.read(input);
          expect({ input, taken: status !== 400 }).toEqual({ input, taken: expected });
          expect({ input, taken: judge(input) }).toEqual({ input, taken: expected });
        }
      }
    },
  );

  it('[4.3.20] [4.3.22] [4.3.26] the document promises an object with any keys, and no fields of records', () => {
    const judge = validator('#/components/schemas/ChatReadResult');
    for (const answer of [{}, { other: 1 }, { record: 1 }, { records: [{}], total: 1, limited: false }]) {
      expect({ answer, valid: judge(answer) }).toEqual({ answer, valid: true });
    }
    for (const answer of [null, [], 'x', 1]) expect(judge(answer)).toBe(false);
  });

  it('[4.3.22] one record is answered as { record }, by decision', async () => {
    const tag = await caller.first('tags');
    expect((await caller.read({ resource: 'tags', id: tag.id })).body).toEqual({ record: tag });
  });

  it('[4.3.24] lists are newest first, also after an update, by decision', async () => {
    const { caller, mock } = serve();
    for (const name of ['one', 'two', 'three']) {
      await caller.apply({ action: 'create-tags', data: { name, color: 'blue' } });
      mock.clock.advance(1_000);
    }
    const order = async (): Promise<string[]> =>
      (await caller.read({ resource: 'tags', limit: 3 })).body.records.map(({ label }) => label);
    expect(await order()).toEqual(['three', 'two', 'one']);
    mock.edit({ resource: 'tags', id: (await caller.first('tags')).id, data: { color: 'pink' } });
    expect(await order()).toEqual(['three', 'two', 'one']);
  });
});
