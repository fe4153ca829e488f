import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AbortedError, DeadlineError, type OperationsApi, OutcomeUnknownError } from '../../src/index.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { clock } from '../../test-support/clock.ts';
import { type JournalMethod, slow } from '../../test-support/journals/slow-journal.ts';
import { failed, getRejection } from '../../test-support/rejection.ts';
import { account, json, lost, scripted } from '../../test-support/servers/scripted.ts';

/* What is not a call waits for an answer of the journal as long as a call, and after an abort for a moment. */

const vip = { name: 'VIP', color: 'pink' } as const;
const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const unanswered = 'The journal did not answer in 30 ms. To wait longer, raise timeoutMs.';

/** A journal that has operations whose outcome is unknown. */
async function withUnknown(count = 1) {
  const journal = memoryJournal();
  const { client } = scripted(Array(count).fill(lost), { journal, retry: false });
  for (let n = 0; n < count; n++) await getRejection(client.tags.create(vip));
  return journal;
}

/** How a promise is settled within a time of the test's clock; one that is not settled then fails the test. */
async function within<T>(ms: number, call: () => PromiseLike<T>): Promise<T> {
  const result = Promise.resolve(call());
  result.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(ms);
  return Promise.race([result, Promise.reject(new Error(`It was not settled within ${ms} ms.`))]);
}

beforeEach(() => void vi.useFakeTimers({ toFake: [...clock.toFake] }));
afterEach(() => void vi.useRealTimers());

test.each<[keyof OperationsApi, JournalMethod, (operations: OperationsApi) => Promise<unknown>]>([
  ['list', 'list', ({ list }) => list()],
  ['problems', 'list', ({ problems }) => problems()],
  ['resumeAll', 'list', ({ resumeAll }) => resumeAll({ timeoutMs: 30 })],
  ['stats', 'stats', ({ stats }) => stats()],
  ['get', 'get', ({ get }) => get(id)],
  ['forget', 'remove', ({ forget }) => forget(id)],
  ['adopt', 'list', ({ adopt }) => adopt({ previousKey: 'earlier-key' })],
  ['adopt', 'claim', ({ adopt }) => adopt({ previousKey: 'test-key-1234567890' })],
])('operations.%s() ends if the journal never answers %s()', async (name, method, call) => {
  const journal = await withUnknown();
  const isAdoption = name === 'adopt' && method === 'claim';
  const { client } = scripted([json(account), json(account)], {
    ...{ journal: slow(method, journal).slowed, timeoutMs: 30 },
    ...(isAdoption && { apiKey: 'later-key' }),
  });
  const { error } = await within(60, () => failed(call(client.operations)));
  expect(error).toBeInstanceOf(DeadlineError);
  expect((error as Error).message).toContain(unanswered);
});

describe('an import of keywords', () => {
  test('sends nothing if the journal does not say what it has', async () => {
    const { client, sent } = scripted([], { journal: slow('list').slowed, timeoutMs: 30 });
    const { error } = await within(30, () => failed(client.keywords.import('s', ['a'])));
    expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', message: unanswered });
    expect(sent).toEqual([]);
  });

  test('ends resume() if the journal does not say what became of a request', async () => {
    const { journal, slowed } = slow('get');
    let isSilent = false;
    const get: typeof journal.get = (key) => (isSilent ? slowed.get(key) : journal.get(key));
    const { client } = scripted([lost], { journal: { ...journal, get }, timeoutMs: 30, retry: false });
    const { resume, unknown } = await client.keywords.import('s', ['a']);
    expect(unknown).toEqual(['a']);
    isSilent = true;
    const { error } = await within(30, () => failed(resume()));
    expect(error).toMatchObject({ message: unanswered });
  });
});

describe('an aborted resumeAll()', () => {
  test('reports what it did not read as it was listed, at once', async () => {
    const journal = slow('get', await withUnknown(3)).slowed;
    const { client, sent } = scripted([], { journal });
    const end = new AbortController();
    const outcomes = client.operations.resumeAll({ signal: end.signal });
    await vi.advanceTimersByTimeAsync(100);
    end.abort();
    const found = await within(0, () => outcomes);
    expect(found).toMatchObject(Array(3).fill({ state: 'unknown', error: { reason: 'ABORTED' } }));
    expect(sent).toEqual([]);
  });

  test('gives the journal a second to say what became of a request', async () => {
    const { journal, slowed } = slow('get', await withUnknown());
    const end = new AbortController();
    let isSent = false;
    const hanging = () => {
      isSent = true;
      end.abort();
      return new Promise<Response>(() => undefined);
    };
    const get: typeof journal.get = (key) => (isSent ? slowed.get(key) : journal.get(key));
    const { client } = scripted([hanging], { journal: { ...journal, get }, retry: false });
    const [found] = await within(1_000, () => client.operations.resumeAll({ signal: end.signal }));
    expect(found).toMatchObject({ state: 'unknown' });
    expect(found?.error).toBeInstanceOf(OutcomeUnknownError);
  });

  test('rejects a second later if the journal does not list anything', async () => {
    const { client } = scripted([], { journal: slow('list').slowed });
    const signal = AbortSignal.abort();
    const { error } = await within(1_000, () => failed(client.operations.resumeAll({ signal })));
    expect(error).toBeInstanceOf(AbortedError);
  });
});
