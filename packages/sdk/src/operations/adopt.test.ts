import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMock, type Mock } from '@orgchat/mock-server';
import { describe, expect, test } from 'vitest';
import { getRejection } from '../../test-support/rejection.ts';
import { type ClientOptions, createClient, type Journal, memoryJournal } from '../index.ts';
import { encryptedJournal, fileJournal } from '../node.ts';

const vip = { name: 'VIP', color: 'pink' } as const;
const [previousKey, newKey] = ['demo-write-key', 'demo-read-key'];

/** A mock whose organization has two keys that may write. */
function openMock(): Mock {
  const mock = createMock({ rateLimit: 'off' });
  mock.patchKey(newKey, { scope: 'write' });
  return mock;
}

const openClient = (mock: Mock, apiKey: string, journal: Journal, more: ClientOptions = {}) =>
  createClient({
    apiKey,
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    journal,
    pacing: false,
    retry: false,
    ...more,
  });

/** Two clients on one journal, before and after the key was rotated; the first has an operation in each final state. */
async function rotate(journal: Journal) {
  const mock = openMock();
  const [before, after] = [previousKey, newKey].map((key) => openClient(mock, key, journal));
  if (!before || !after) throw new Error('two clients');
  const applied = await before.tags.create(vip, { intent: ['applied'] });
  mock.faults.arm({ effect: 'lose-response' });
  const unknown = await getRejection(before.tags.create(vip, { intent: ['unknown'] }));
  await getRejection(before.tags.create({ ...vip, name: '' }, { intent: ['refused'] }));
  return { mock, before, after, appliedId: applied.operationId, unknownId: String(unknown.operationId) };
}

describe.each<[string, () => Journal]>([
  ['memory', memoryJournal],
  ['file', () => fileJournal(mkdtempSync(join(tmpdir(), 'adopt-')))],
  ['encrypted', () => encryptedJournal(memoryJournal(), 'ab'.repeat(32))],
])('adopt() on a %s journal', (_kind, make) => {
  test('moves the operations of the previous key, which the new key then finishes', async () => {
    const { mock, before, after, appliedId, unknownId } = await rotate(make());
    const known = await before.operations.list();
    const { adopted, inProgress } = await after.operations.adopt({ previousKey });
    expect(inProgress).toEqual([]);
    // Entries of one millisecond are listed in the order of their random ids.
    expect(adopted.map(({ state }) => state).sort()).toEqual(['applied', 'refused', 'unknown']);
    expect(adopted.map(({ state }) => state)).toEqual(known.map(({ state }) => state));
    expect(adopted.map(({ change }) => change)).toEqual(known.map(({ change }) => change));
    expect(await before.operations.list()).toEqual([]);
    const moved = await after.operations.list();
    expect(moved.map(({ body, createdAt }) => ({ body, createdAt }))).toEqual(
      known.map(({ body, createdAt }) => ({ body, createdAt })),
    );
    mock.patchKey(previousKey, { revoked: true });
    expect(await after.operations.resumeAll()).toMatchObject([{ operationId: unknownId, state: 'applied' }]);
    expect(await after.tags.create(vip, { intent: ['applied'] })).toMatchObject({
      operationId: appliedId,
      replayed: true,
    });
    expect(mock.operations()).toHaveLength(2);
  });

  test('may be called again, and asks each key for its account once', async () => {
    const { mock, after } = await rotate(make());
    await after.operations.adopt({ previousKey });
    const { id = 0 } = mock.requests.list().at(-1) ?? {};
    expect(await after.operations.adopt({ previousKey })).toEqual({
      adopted: [],
      inProgress: [],
      counts: { open: 0, settled: 0, inProgress: 0 },
    });
    const sent = mock.requests.list().filter((request) => request.id > id);
    expect(sent.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)).toEqual([
      'GET me',
      'GET me',
    ]);
  });
});

test('without adopt(), the account is never asked for', async () => {
  const { mock, after } = await rotate(memoryJournal());
  await after.operations.resumeAll();
  expect(mock.requests.list().filter(({ path }) => path.endsWith('/me'))).toEqual([]);
});

test('leaves an operation alone that another call has', async () => {
  const journal = memoryJournal();
  const mock = openMock();
  let answer = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const slow = openClient(mock, previousKey, journal, {
    fetch: async (request) => {
      const response = await mock.fetch(request);
      await isOpen;
      return response;
    },
  });
  const call = slow.tags.create(vip);
  const after = openClient(mock, newKey, journal);
  await expect.poll(() => mock.operations().length, { interval: 1 }).toBe(1);
  const { adopted, inProgress } = await after.operations.adopt({ previousKey });
  expect([adopted.length, inProgress.length]).toEqual([0, 1]);
  answer();
  await call;
  expect((await after.operations.adopt({ previousKey })).adopted).toHaveLength(1);
});

test('a pending operation of a dead process becomes unknown', async () => {
  const { before, after, unknownId, journal } = await rotateWithJournal();
  const entry = await before.operations.get(unknownId);
  if (!entry) throw new Error('no entry');
  const { change: _, ...stored } = entry;
  const claim = await journal.claim(stored, { token: 't', deadline: stored.deadline });
  await journal.settle({ ...stored, ...claim?.entry, state: 'pending' });
  await after.operations.adopt({ previousKey });
  expect((await after.operations.get(unknownId))?.state).toBe('unknown');
});

async function rotateWithJournal() {
  const journal = memoryJournal();
  return { journal, ...(await rotate(journal)) };
}

test.each<['refused' | 'unknown', string, string, number]>([
  ['unknown', 'refused', 'unknown', 2],
  ['refused', 'applied', 'applied', 1],
])('an operation that is %s under the old key and %s under the new one is %s', async (old, now, result) => {
  const { before, after, journal } = await rotateWithJournal();
  const intent = ['both', old];
  const first = await before.tags.create(vip, { intent });
  const entry = await journal.get({
    operationId: first.operationId,
    target: (await before.operations.list())[0]?.target ?? '',
  });
  const other = await after.tags.create(vip, { intent });
  const mine = await after.operations.get(other.operationId);
  if (!entry || !mine) throw new Error('no entries');
  await journal.settle({ ...entry, state: old });
  const { change: _, ...stored } = mine;
  await journal.settle({ ...stored, state: now as 'applied' });
  await after.operations.adopt({ previousKey });
  expect((await after.operations.get(first.operationId))?.state).toBe(result);
});

test('refuses the key of another organization, and moves nothing', async () => {
  const { mock, before, after } = await rotate(memoryJournal());
  const elsewhere = after.with({
    fetch: async (request) => {
      const answer = await mock.fetch(request);
      if (request.headers.get('authorization') !== `Bearer ${previousKey}`) return answer;
      return Response.json({ ...Object(await answer.json()), organizationId: 'org_other' });
    },
  });
  const error = await getRejection(elsewhere.operations.adopt({ previousKey }));
  expect(error.code).toBe('INVALID_INPUT');
  expect(error.message).toMatch(
    /^The previous key belongs to organization org_other, and the key of this client to /,
  );
  expect(error.message).not.toContain(previousKey);
  expect(await before.operations.list()).toHaveLength(3);
});

test('says that a previous key was revoked, and moves nothing', async () => {
  const { mock, before, after } = await rotate(memoryJournal());
  mock.patchKey(previousKey, { revoked: true });
  expect(await getRejection(after.operations.adopt({ previousKey }))).toMatchObject({ status: 401 });
  expect(await before.operations.list()).toHaveLength(3);
});

test('moves nothing that it cannot decrypt', async () => {
  const store = memoryJournal();
  const { before, mock } = await rotate(encryptedJournal(store, 'ab'.repeat(32)));
  const plain = openClient(mock, newKey, store);
  expect(await getRejection(plain.operations.adopt({ previousKey }))).toMatchObject({
    code: 'JOURNAL_FAILED',
  });
  expect(await before.operations.list()).toHaveLength(3);
});

test.each([
  [undefined, /^adopt\(\) requires \{ previousKey \}, a non-empty string; got undefined\.$/],
  [{}, /^adopt\(\) requires \{ previousKey \}, a non-empty string; got undefined\.$/],
  [{ previousKey: ' ' }, /^adopt\(\) requires \{ previousKey \}/],
  [{ previousKey: 7 }, /got number\.$/],
  [{ previousKey: newKey }, /^previousKey is the key of this client\. Pass the key that it replaces\.$/],
  [{ previousKey, key: 1 }, /^"key" is not an option of adopt\(\)\./],
])('adopt(%j) is refused before anything is sent', async (options, says) => {
  const mock = openMock();
  const { operations } = openClient(mock, newKey, memoryJournal());
  const error = await getRejection(operations.adopt(options as never));
  expect(error).toMatchObject({ code: 'INVALID_OPTIONS' });
  expect(error.message).toMatch(says);
  expect(mock.requests.list()).toEqual([]);
});
