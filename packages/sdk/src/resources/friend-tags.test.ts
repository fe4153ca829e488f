import { describe, expect, test } from 'vitest';
import { atEachDoor } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { applied, json, scripted } from '../../test-support/servers/scripted.ts';
import {
  createClient,
  type Friend,
  InputConflictError,
  InvalidInputError,
  type OrgChatClient,
  OutcomeUnknownError,
  requireResult,
  StaleRevisionError,
} from '../index.ts';

atEachDoor((at) => {
  const prepare = async (): Promise<{ friend: Friend; tags: readonly string[] }> => {
    const { records } = await at.client.friends.list({ limit: 1 });
    const tags: string[] = [];
    for (const name of ['one', 'two', 'three'])
      tags.push(requireResult(await at.client.tags.create({ name, color: 'pink' })).id);
    const [friend] = records;
    if (friend === undefined) throw new Error('the demo has no friend');
    return { friend: requireResult(await at.client.friends.setTags(friend, [])), tags };
  };
  const readTags = async (friend: Friend): Promise<readonly string[]> =>
    [...(await at.client.friends.get(friend)).tagIds].sort();
  const sorted = (...ids: readonly (string | undefined)[]): readonly (string | undefined)[] =>
    [...ids].sort();
  /** Another machine: a client without the journal of the first. */
  const elsewhere = (): OrgChatClient => createClient(at.options);
  const writes = (): number =>
    at.mock.operations().filter((operation) => JSON.stringify(operation).includes('set-friend-tags')).length;

  describe('tags of a friend', () => {
    test('are added and removed, and the others stay', async () => {
      const { friend, tags } = await prepare();
      const [one, two, three] = tags as [string, string, string];
      await at.client.friends.addTags(friend, [one, two]);
      const added = await at.client.friends.addTags(friend, [two, three]);
      expect(added).toMatchObject({ applied: true, replayed: false });
      expect(sorted(...requireResult(added).tagIds)).toEqual(sorted(one, two, three));
      await at.client.friends.removeTags(friend, [one, three]);
      expect(await readTags(friend)).toEqual([two]);
      await at.client.friends.editTags(friend, (tagIds) => tagIds.map((id) => (id === two ? one : id)));
      expect(await readTags(friend)).toEqual([one]);
    });

    test('are added by eight operators at once, and none is lost', async () => {
      const { friend, tags } = await prepare();
      const operators = Array.from({ length: 8 }, (_, n) =>
        elsewhere().friends.addTags(friend, [tags[n % 3] ?? ''], {
          intent: ['operator', n],
          maxAttempts: 20,
        }),
      );
      expect((await Promise.all(operators)).every(({ applied }) => applied)).toBe(true);
      expect(await readTags(friend)).toEqual(sorted(...tags));
    });

    test('are added although a rival edits the friend twice', async () => {
      const { friend, tags } = await prepare();
      at.mock.faults.arm({ effect: 'rival-edit', times: 2 });
      const before = writes();
      await at.client.friends.addTags(friend, tags, { intent: ['order', 1] });
      expect(await readTags(friend)).toEqual(sorted(...tags));
      expect(writes() - before).toBe(1);
    });

    test('give up after maxAttempts, with both versions', async () => {
      const { friend, tags } = await prepare();
      at.mock.faults.arm({ effect: 'rival-edit', times: 100 });
      const error = await getRejection(at.client.friends.addTags(friend, tags, { maxAttempts: 2 }));
      expect(error).toBeInstanceOf(StaleRevisionError);
      expect((error as StaleRevisionError).versions).toMatchObject({ current: { userId: friend.userId } });
    });

    test('of one intent are added once, on whichever machine it is delivered again', async () => {
      const { friend, tags } = await prepare();
      const [one = ''] = tags;
      const before = writes();
      const options = { intent: ['order', 17] };
      const first = await at.client.friends.addTags(friend, [one], options);
      const again = await at.client.friends.addTags(friend, [one], options);
      const other = await elsewhere().friends.addTags(friend, [one], options);
      expect([first, again, other].map(({ replayed }) => replayed)).toEqual([false, true, true]);
      expect(new Set([first, again, other].map(({ operationId }) => operationId)).size).toBe(1);
      expect(writes() - before).toBe(1);
    });

    test('that an operator removed since are not added again', async () => {
      const { friend, tags } = await prepare();
      const [one = ''] = tags;
      const options = { intent: ['order', 18] };
      await at.client.friends.addTags(friend, [one], options);
      await at.client.friends.removeTags(friend, [one]);
      const before = writes();
      expect(await at.client.friends.addTags(friend, [one], options)).toMatchObject({ replayed: true });
      const error = await getRejection(elsewhere().friends.addTags(friend, [one], options));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', reason: 'intent-known', status: 409 });
      expect(error).not.toHaveProperty('resume');
      expect(await readTags(friend)).toEqual([]);
      expect(writes()).toBe(before);
      // Somebody adds it after all.
      await at.client.friends.addTags(friend, [one]);
      const again = await elsewhere().friends.addTags(friend, [one], options);
      expect(again).toMatchObject({ applied: true, replayed: true, result: { tagIds: [one] } });
    });

    test('are added once when the first delivery lost its answer and another machine repeats it', async () => {
      const { friend, tags } = await prepare();
      const [one = '', two = ''] = tags;
      const options = { intent: ['order', 19] };
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
      const first = createClient({ ...at.options, retry: false });
      expect(await getRejection(first.friends.addTags(friend, [one], options))).toBeInstanceOf(
        OutcomeUnknownError,
      );
      await at.client.friends.addTags(friend, [two]);
      const again = await elsewhere().friends.addTags(friend, [one], options);
      expect(again).toMatchObject({ applied: true, replayed: true, result: { userId: friend.userId } });
      expect(await first.friends.addTags(friend, [one], options)).toMatchObject({ replayed: true });
      expect(await readTags(friend)).toEqual(sorted(one, two));
    });

    test('of one intent and other tags are a mistake', async () => {
      const { friend, tags } = await prepare();
      const [one = '', two = ''] = tags;
      const options = { intent: ['order', 20] };
      await at.client.friends.addTags(friend, [one], options);
      for (const call of [
        () => at.client.friends.addTags(friend, [two], options),
        () => at.client.friends.removeTags(friend, [one], options),
      ]) {
        const error = await getRejection(call());
        expect(error).toBeInstanceOf(InputConflictError);
        expect((error as InputConflictError).status).toBeUndefined();
      }
      expect(await at.client.friends.addTags(friend, [one, one], options)).toMatchObject({ replayed: true });
    });

    test('made by a function under one intent and another fingerprint are a mistake', async () => {
      const { friend, tags } = await prepare();
      const [one = '', two = ''] = tags;
      const edit = (tag: string) =>
        at.client.friends.editTags(friend, (has) => [...new Set([...has, tag])], {
          intent: ['order', 21],
          fingerprint: `add ${tag}`,
        });
      await edit(one);
      expect(await getRejection(edit(two))).toBeInstanceOf(InputConflictError);
      expect(await edit(one)).toMatchObject({ replayed: true });
      expect(await readTags(friend)).toEqual([one]);
    });

    test.each([[[]], [['x', 7]], ['x'], [undefined]])(
      '%j are refused before anything is sent',
      async (tagIds) => {
        const { friend } = await prepare();
        const before = at.mock.requests.list().length;
        const wrong = tagIds as readonly string[];
        for (const call of [
          at.client.friends.addTags(friend, wrong),
          at.client.friends.removeTags(friend, wrong),
        ]) {
          const error = await getRejection(call);
          expect(error).toBeInstanceOf(InvalidInputError);
          expect(error.message).toBe('tagIds must be a non-empty array of tag ids.');
        }
        expect(at.mock.requests.list()).toHaveLength(before);
      },
    );
  });
});

const ref = { accountId: 'a', userId: 'U' };
const friendWith = (tagIds: unknown) =>
  json({ record: { ...ref, status: 'unread', notes: null, tagIds, revision: 'a'.repeat(64), label: 'Mia' } });

test.each([undefined, null, 'x', [7]])(
  'a friend read with tagIds %j is an answer of unexpected shape',
  async (tagIds) => {
    const { client, sent } = scripted([friendWith(tagIds), applied]);
    const error = await getRejection(client.friends.addTags(ref, ['x']));
    expect(error).toMatchObject({ name: 'ServerError', code: 'UNEXPECTED_SHAPE', requestId: 'req-200' });
    expect(error.message).toMatch(
      /^(The record of friends: the field tagIds |The tagIds of the friend must be a list)/,
    );
    expect(sent).toHaveLength(1);
  },
);

test.each([
  [undefined, 'undefined'],
  ['x', 'string'],
  [{ tagIds: [] }, 'object'],
  [[7], 'an array with other values'],
])('a function of editTags that returns %j is refused before the write', async (tagIds, found) => {
  const { client, sent } = scripted([friendWith([]), applied]);
  const error = await getRejection(client.friends.editTags(ref, () => tagIds as never));
  expect(error).toBeInstanceOf(InvalidInputError);
  expect(error.message).toBe(`The function of editTags() must return an array of tag ids; got ${found}.`);
  expect(sent).toHaveLength(1);
});

test('editTags without a function is refused before anything is sent', async () => {
  const { client, sent } = scripted([friendWith([]), applied]);
  const error = await getRejection(client.friends.editTags(ref, undefined as never));
  expect(error).toBeInstanceOf(InvalidInputError);
  expect(error.message).toBe('editTags() requires a function that returns tag ids; got undefined.');
  expect(sent).toEqual([]);
});

test('options that are null are treated as absent', async () => {
  const { client } = scripted([friendWith([]), applied]);
  expect(await client.friends.addTags(ref, ['x'], null as never)).toMatchObject({ applied: true });
});
