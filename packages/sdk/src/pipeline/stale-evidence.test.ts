import { describe, expect, test } from 'vitest';
import { getRejection } from '../../test-support/rejection.ts';
import {
  applied,
  failure,
  html,
  json,
  lost,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';
import { type OrgChatClient, OutcomeUnknownError, StaleRevisionError } from '../index.ts';
import { findStaleVersions } from './stale-evidence.ts';

const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const friend = { accountId: id, userId: `U${'0'.repeat(32)}` };
const [first, later] = ['a'.repeat(64), 'b'.repeat(64)];
const asRead = { revision: first, label: 'VIP' };
const vip = { id, ...asRead };
const sent = { name: 'VIP+', color: 'pink' } as const;
const unknown409 = failure(409, 'VERSION_CHANGED');
const found = (record: object): Step => json({ record });

const oneTag = { resource: 'tags', id };
const oneFriend = { resource: 'friends', ...friend };

/** A guarded write, a record that it would have brought about, how that is read, and what it was to write. */
type Guarded = [
  write: (client: OrgChatClient) => Promise<unknown>,
  made: object,
  read: object,
  data: unknown,
];
const writes: Record<string, Guarded> = {
  'an update': [(client) => client.tags.update(vip, sent), { ...sent }, oneTag, sent],
  'a deletion': [(client) => client.tags.delete(vip), {}, oneTag, undefined],
  'an update of a friend': [
    (client) => client.friends.update({ ...friend, ...asRead }, { notes: 'Sent' }),
    { notes: 'Sent' },
    oneFriend,
    { notes: 'Sent' },
  ],
  'a set of tags': [
    (client) => client.friends.setTags({ ...friend, ...asRead }, [id]),
    { tagIds: [id] },
    oneFriend,
    [id],
  ],
};
const rivals = { ...friend, name: 'Rival', color: 'blue', notes: 'Rival', tagIds: [] };

describe.each(Object.entries(writes))(
  '%s that is answered 409 with an unknown code',
  (name, [write, made, read, data]) => {
    test('is stale if the record is neither as expected nor as it was sent', async () => {
      const current = { ...vip, ...rivals, revision: later, label: 'Rival' };
      const { client, sent } = scripted([unknown409, found(current)]);
      const error = await getRejection(write(client));
      expect(error).toBeInstanceOf(StaleRevisionError);
      expect(error).toMatchObject({
        code: 'VERSION_CHANGED',
        meaning: 'staleRevision',
        attempts: 1,
        versions: { expected: { revision: first, label: 'VIP' }, current, data },
      });
      expect(error.message).toContain(
        "409 VERSION_CHANGED is not a known code: if it means a stale revision, createClient({ server: { server: 1, codes: { staleRevision: 'VERSION_CHANGED' } } })",
      );
      expect(sent.map(({ url }) => url.split('/v1')[1])).toEqual(['/chat/changes', '/chat/read']);
      expect(JSON.parse(sent[1]?.body ?? '')).toEqual(read);
      expect(await client.operations.list()).toMatchObject([
        { state: 'refused', error: { code: 'VERSION_CHANGED', meaning: 'staleRevision' } },
      ]);
    });

    // A record that is there is never as a deletion would have made it.
    const asSent: [string, Step][] =
      name === 'a deletion'
        ? []
        : [['is as it was sent', found({ ...vip, ...friend, ...made, revision: later })]];
    test.each<[string, Step]>([
      ['is as expected', found({ ...vip, ...rivals })],
      ['is gone', failure(404, 'NOT_FOUND')],
      ['cannot be read', lost],
      ['cannot be read for now', failure(502, 'RUNTIME_UNAVAILABLE')],
      ['has no revision', found({ id, label: 'Rival' })],
      ['has no label', found({ id, revision: later })],
      ['is not in the answer', json({ records: [] })],
      ...asSent,
    ])('is unknown if the record %s, after one read', async (_how, read) => {
      const { client, sent } = scripted([unknown409, read, applied]);
      const error = await getRejection(write(client));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error).toMatchObject({ reason: 'VERSION_CHANGED', status: 409, attempts: 1 });
      expect(sent).toHaveLength(2);
      expect(await client.operations.list()).toMatchObject([{ state: 'unknown' }]);
    });

    test('costs no read if the code is known', async () => {
      const codes = { staleRevision: 'VERSION_CHANGED', uncertain: 'IN_DOUBT' };
      for (const [step, type] of [
        [unknown409, StaleRevisionError],
        [failure(409, 'IN_DOUBT'), OutcomeUnknownError],
      ] as const) {
        const { client, sent } = scripted([step], { server: { server: 1, codes } });
        const error = await getRejection(write(client));
        expect(error).toBeInstanceOf(type);
        expect(error.message).not.toContain('is not a known code');
        expect(sent).toHaveLength(1);
      }
    });
  },
);

describe('nothing is read, and the outcome is unknown,', () => {
  const rival = found({ ...vip, ...rivals, revision: later });
  test.each([
    ['after an ambiguous attempt', [lost, unknown409, rival], {}, 2],
    ['under a given id', [unknown409, rival], { operationId: id }, 1],
    ['under an intent', [unknown409, rival], { intent: ['rename'] }, 1],
  ] as const)('%s', async (_when, steps, options, requests) => {
    const { client, sent } = scripted(steps);
    expect(
      await getRejection(client.tags.update(vip, { name: 'VIP+', color: 'pink' }, options)),
    ).toBeInstanceOf(OutcomeUnknownError);
    expect(sent).toHaveLength(requests);
  });

  test('for a 409 that is a page of a proxy the record is read', async () => {
    const { client, sent } = scripted([html(409), rival]);
    expect(await getRejection(client.tags.update(vip, { name: 'VIP+', color: 'pink' }))).toMatchObject({
      name: 'StaleRevisionError',
      code: 'HTTP_409',
    });
    expect(sent).toHaveLength(2);
  });
});

test('the read fits into what is left of the deadline, and into the pacing', async () => {
  const hangs: Step = (request) =>
    new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
  const { client } = scripted([unknown409, hangs]);
  const startedAt = performance.now();
  const error = await getRejection(client.tags.update(vip, sent, { timeoutMs: 300 }));
  expect(error).toBeInstanceOf(OutcomeUnknownError);
  expect(performance.now() - startedAt).toBeLessThan(2_000);

  const paced = scripted([unknown409, found({ ...vip, ...rivals, revision: later })], {
    baseUrl: 'https://paced-evidence.example.com/api/v1',
    pacing: { perMinute: 1 },
  });
  // The one place of this minute is taken by the change itself.
  expect(await getRejection(paced.client.tags.update(vip, sent, { timeoutMs: 1_000 }))).toBeInstanceOf(
    OutcomeUnknownError,
  );
  expect(paced.sent).toHaveLength(1);
});

test('an abort during the read leaves the outcome unknown', async () => {
  const abort = new AbortController();
  const aborting: Step = () => {
    abort.abort();
    throw abort.signal.reason;
  };
  const { client } = scripted([unknown409, aborting]);
  const error = await getRejection(client.tags.update(vip, sent, { signal: abort.signal }));
  expect(error).toBeInstanceOf(OutcomeUnknownError);
  expect(error).toMatchObject({ reason: 'VERSION_CHANGED' });
});

test('a label that changed proves it as well as a revision', () => {
  const change = { action: 'delete-configuration', resource: 'tags', id };
  const guards = { expectedRevision: first, expectedLabel: 'A' };
  expect(findStaleVersions({ ...change, ...guards }, { id, revision: first, label: 'B' })).toBeDefined();
  expect(findStaleVersions({ ...change, ...guards }, { id, revision: first, label: 'A' })).toBeUndefined();
});

describe('the form in which a server may store a value', () => {
  const change = (data: object) => ({
    action: 'update-tags',
    id,
    expectedRevision: first,
    expectedLabel: 'A',
    data,
  });
  const isStale = (data: object, kept: object): boolean =>
    findStaleVersions(change(data), { id, revision: later, label: 'A', ...kept }) !== undefined;

  test.each<[object, object]>([
    [{ name: ' VIP ' }, { name: 'VIP' }],
    [{ notes: 'one\r\ntwo' }, { notes: 'one\ntwo' }],
    [{ id: 'ABCDEF' }, { id: 'abcdef' }],
    [{ name: 'e\u0301' }, { name: '\u00e9' }],
    [{ at: '2026-04-01T00:00:00Z' }, { at: '2026-04-01T00:00:00.000Z' }],
    [{ at: '2026-04-01T09:00:00+09:00' }, { at: '2026-04-01T00:00:00.000Z' }],
    [{ accountId: undefined }, { accountId: null }],
    [{ notes: '' }, { notes: null }],
    [{ tagIds: [] }, { tagIds: null }],
    [{ tagIds: ['a', 'b', 'a'] }, { tagIds: ['b', 'a'] }],
    [{ steps: [{ text: 'x' }] }, { steps: [{ text: 'x', added: true }] }],
    [{ name: 'a' }, { name: ['a'] }],
    [{ hidden: 'x' }, {}],
    [{ n: 1 }, { n: 1.0 }],
  ])('%j may be stored as %j', (data, kept) => {
    expect(isStale(data, kept)).toBe(false);
  });

  test.each<[object, object]>([
    [{ name: 'VIP' }, { name: 'Rival' }],
    [
      { name: 'VIP', color: 'pink' },
      { name: 'VIP', color: 'blue' },
    ],
    [{ tagIds: ['a', 'b'] }, { tagIds: ['a', 'c'] }],
    [{ name: '2026-99-99T1' }, { name: '2026-99-99T2' }],
    [{ notes: 'x' }, { notes: null }],
    [{ tagIds: ['a'] }, { tagIds: ['a', 'b'] }],
    [{ tagIds: [] }, { tagIds: ['a'] }],
    [{ steps: [{ text: 'x' }] }, { steps: [{ text: 'y' }] }],
    [{ steps: [{ text: 'x' }] }, { steps: [] }],
    [{ steps: [{ text: 'x' }, { text: 'y' }] }, { steps: [{ text: 'x' }, { text: 'z' }] }],
    [{ steps: ['a', { text: 'x' }] }, { steps: ['a', { text: 'y' }] }],
    [{ part: { a: 1 } }, { part: 'x' }],
    [{ name: 'a b' }, { name: 'ab' }],
    [{ at: '2026-04-01T00:00:00Z' }, { at: '2026-04-01T00:00:01Z' }],
    [{ active: true }, { active: false }],
    [{ n: 1 }, { n: 2 }],
  ])('%j may not be stored as %j', (data, kept) => {
    expect(isStale(data, kept)).toBe(true);
  });
});
