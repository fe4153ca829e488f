import { describe, expect, test } from 'vitest';
import { createClient, InvalidInputError, type KeywordRequest, memoryJournal } from '../../src/index.ts';
import { mocked } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { json, lost, type Step, scripted } from '../../test-support/servers/scripted.ts';

const words = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `word ${from + n}`);

/** A store that keeps JSON, as a file does. */
function createStore() {
  const saved: string[] = [];
  return {
    saved,
    read: () => {
      const last = saved.at(-1);
      return last === undefined ? undefined : (JSON.parse(last) as KeywordRequest[]);
    },
    write: async (requests: readonly KeywordRequest[]) => void saved.push(JSON.stringify(requests)),
  };
}

const request: KeywordRequest = {
  operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
  siteId: 's',
  keywords: ['a'],
  state: 'added',
  added: ['a'],
  skipped: [],
};

/** Answers with everything added. */
const accept: Step = (request, body) => {
  const { keywords } = JSON.parse(body) as { keywords: string[] };
  return json({ added: keywords, skipped: [] }, 201)(request, body);
};

describe('an import with a checkpoint', () => {
  test('stores each request before and after it was sent', async () => {
    const { mock, client } = mocked();
    const store = createStore();
    const write = async (requests: readonly KeywordRequest[]) => {
      const isSent = requests.at(-1)?.state !== 'sending';
      const entries = mock.requests.list().filter(({ operation }) => operation === 'addSeoKeywords');
      expect(entries).toHaveLength(isSent ? requests.length : requests.length - 1);
      await store.write(requests);
    };
    await client.keywords.import('demo-site', words(70), { checkpoint: { ...store, write } });
    const states = store.saved.map((text) =>
      (JSON.parse(text) as KeywordRequest[]).map(({ state }) => state),
    );
    expect(states).toEqual([['sending'], ['added'], ['added', 'sending'], ['added', 'added']]);
  });

  test('continues in another process with another list, and sends only what is new', async () => {
    const store = createStore();
    const first = scripted([accept, lost]);
    await first.client.keywords.import('s', words(110), { checkpoint: store });
    const next = scripted([accept]);
    const list = [...words(60), 'new', ...words(10, 100)];
    const result = await next.client.keywords.import('s', list, { checkpoint: store });
    expect([result.added.length, result.unknown]).toEqual([61, words(10, 50)]);
    expect(next.sent.map(({ body }) => JSON.parse(body).keywords)).toEqual([['new', ...words(10, 100)]]);
    expect(result.requests.find(({ state }) => state === 'unknown')?.error).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      reason: 'CONNECTION_LOST',
    });
  });

  test('a request of a dead process is unknown, unless the journal has its outcome', async () => {
    const store = createStore();
    const journal = memoryJournal();
    const first = scripted([accept], { journal });
    await first.client.keywords.import('s', words(60), { checkpoint: store });
    const [, , sending = ''] = store.saved;
    for (const [text, known, expected] of [
      [sending, journal, [60, 0, 0]],
      [sending, memoryJournal(), [50, 10, 0]],
    ] as const) {
      store.saved.push(text);
      const { client, sent } = scripted([accept], { journal: known });
      const { added, unknown } = await client.keywords.import('s', words(60), { checkpoint: store });
      expect([added.length, unknown.length, sent.length]).toEqual(expected);
    }
  });

  test('ends if it cannot be written: before a request nothing is sent', async () => {
    const full = new Error('the disk is full');
    for (const [writes, sentCount, notSent] of [
      [0, 0, 60],
      [1, 1, 10],
      [2, 1, 10],
    ] as const) {
      let left: number = writes;
      const checkpoint = {
        read: () => undefined,
        write: () => {
          if (left-- === 0) throw full;
        },
      };
      const { client, sent } = scripted([accept]);
      const result = await client.keywords.import('s', words(60), { checkpoint });
      expect([result.error, sent.length, result.notSent.length]).toEqual([full, sentCount, notSent]);
      expect(result.added).toHaveLength(60 - notSent);
    }
  });

  test.each<[unknown, RegExp]>([
    ['[]', /must return an array of requests, or undefined; got string/],
    [[{ operationId: 'x' }], /Request 0 returned by checkpoint\.read\(\) was not stored/],
    [[{ ...request, operationId: '../x' }], /must be a UUID/],
    [[{ ...request, siteId: undefined }], /Request 0 returned by checkpoint\.read\(\) was not stored/],
    [
      [{ ...request, siteId: 'other' }],
      /^The checkpoint has requests to the site "other", not "s"\. Use one checkpoint per site/,
    ],
    [
      [{ ...request, group: 'season' }],
      /^The checkpoint has requests with the group "season", and this import has no group\. Use one checkpoint per group/,
    ],
    [[null], /Request 0/],
  ])('refuses the stored requests %j', async (stored, message) => {
    const { client, sent } = scripted([accept]);
    const checkpoint = { read: () => stored as KeywordRequest[], write: () => undefined };
    const error = await getRejection(client.keywords.import('s', ['a'], { checkpoint }));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect((error as Error).message).toMatch(message);
    expect(sent).toEqual([]);
  });

  test('rejects as the checkpoint does that cannot be read', async () => {
    const { client, sent } = scripted([accept]);
    const failed = new Error('no such bucket');
    const checkpoint = { read: () => Promise.reject(failed), write: () => undefined };
    expect(await getRejection(client.keywords.import('s', ['a'], { checkpoint }))).toBe(failed);
    expect(sent).toEqual([]);
  });
});

describe('an import with an intent', () => {
  const intent = ['catalog', '2026-11-22'];

  test('that is run again takes the outcomes from the journal', async () => {
    const { mock, options } = mocked();
    const journal = memoryJournal();
    const run = () =>
      createClient({ ...options, journal }).keywords.import('demo-site', words(120), { intent });
    mock.faults.arm({ effect: 'lose-response', operation: 'addSeoKeywords', after: 1, times: 1 });
    const first = await run();
    expect([first.added.length, first.unknown.length, first.notSent.length]).toEqual([50, 50, 20]);
    const second = await run();
    expect([second.added.length, second.unknown.length, second.notSent.length]).toEqual([70, 50, 0]);
    const third = await run();
    expect([third.added, third.unknown]).toEqual([second.added, first.unknown]);
    const sent = mock.requests.list().filter(({ operation }) => operation === 'addSeoKeywords');
    expect(sent).toHaveLength(3);
  });

  test('that sends unknown keywords again sends them once', async () => {
    const journal = memoryJournal();
    const first = scripted([lost], { journal });
    expect(await first.client.keywords.import('s', ['x', 'y'], { intent })).toMatchObject({
      unknown: ['x', 'y'],
    });
    const answer = json({ added: ['y'], skipped: ['x'] }, 201);
    const second = scripted([answer], { journal });
    const options = { intent, retryUnknown: true };
    const expected = { added: ['y'], skipped: ['x'], unknown: [] };
    expect(await second.client.keywords.import('s', ['x', 'y'], options)).toMatchObject(expected);
    const third = scripted([answer], { journal });
    expect(await third.client.keywords.import('s', ['x', 'y'], { intent })).toMatchObject(expected);
    expect([second.sent.length, third.sent.length]).toEqual([1, 0]);
  });

  test('belongs to one site and group', async () => {
    const { client, sent } = scripted([accept]);
    await client.keywords.import('a', ['x'], { intent });
    await client.keywords.import('b', ['x'], { intent });
    await client.keywords.import('b', ['x'], { intent, group: 'g' });
    await client.keywords.import('b', ['x'], { intent, group: ' g ' });
    expect(sent.map(({ url, body }) => [url.split('/').at(-2), JSON.parse(body).group])).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['b', 'g'],
    ]);
  });

  test('continues past a request that another process begins to send, if it is asked to', async () => {
    const journal = memoryJournal();
    const first = scripted([accept], { journal });
    await first.client.keywords.import('s', words(60), { intent });
    // The other process has the entry, and did not have it when this one read the journal.
    const held = { ...journal, claim: async () => ({ heldUntil: undefined }) };
    for (const [continueAfterUnknown, unknown, notSent] of [
      [true, words(60), []],
      [false, words(50), words(10, 50)],
    ] as const) {
      const { client, sent } = scripted([accept], { journal: held });
      const result = await client.keywords.import('s', words(60), { intent, continueAfterUnknown });
      expect(result).toMatchObject({ unknown, notSent, error: { code: 'OPERATION_IN_FLIGHT' } });
      expect(sent).toEqual([]);
    }
  });

  test('that two processes use at once sends each request once', async () => {
    const journal = memoryJournal();
    let release: () => void = () => undefined;
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: Step = async (...given) => {
      await blocked;
      return accept(...given);
    };
    const first = scripted([slow], { journal });
    const running = first.client.keywords.import('s', ['x'], { intent });
    while (first.sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = scripted([accept], { journal });
    const other = await second.client.keywords.import('s', ['x', 'y'], { intent });
    expect([other.added, other.unknown, second.sent.length]).toEqual([['y'], ['x'], 1]);
    expect(await other.resume()).toMatchObject({ added: ['y'], unknown: ['x'] });
    release();
    expect((await running).added).toEqual(['x']);
    expect(await other.resume()).toMatchObject({ added: ['x', 'y'], unknown: [], error: undefined });
    expect([first.sent.length, second.sent.length]).toEqual([1, 1]);
  });
});
