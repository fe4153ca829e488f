import { createMock } from '@orgchat/mock-server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clock } from '../../test-support/clock.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  account,
  applied,
  failure,
  json,
  lost,
  refusedConnection,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';
import {
  type ClientEvent,
  type ClientOptions,
  createClient,
  DeadlineError,
  type PlaceAnswer,
  type PlaceRequest,
  type ReleasedPlace,
  type SharedPacing,
} from '../index.ts';

const answered = json(account);
const granted: PlaceAnswer = { state: 'granted', waitMs: 0, askAgainMs: 0 };
const waiting = (waitMs: number, askAgainMs = waitMs): PlaceAnswer => ({
  state: 'waiting',
  waitMs,
  askAgainMs,
});
const vip = { name: 'VIP', color: 'pink' } as const;

/** A store that gives the answers in order; the last one repeats. A function may throw or never answer. */
function createStore(...answers: (PlaceAnswer | (() => Promise<PlaceAnswer>))[]) {
  const asked: PlaceRequest[] = [];
  const released: ReleasedPlace[] = [];
  const shared: SharedPacing = {
    async reserve(request) {
      asked.push(request);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return typeof answer === 'function' ? answer() : (answer ?? granted);
    },
    async release(place) {
      released.push(place);
    },
  };
  return { shared, asked, released };
}

const withStore = (
  steps: readonly Step[],
  store: ReturnType<typeof createStore>,
  options: ClientOptions = {},
  pacing: object = {},
) => scripted(steps, { retry: false, ...options, pacing: { shared: store.shared, ...pacing } });

const down = () => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:5432.'));
const silent = () => new Promise<never>(() => undefined);

beforeEach(() => void vi.useFakeTimers({ toFake: [...clock.toFake] }));
afterEach(() => void vi.useRealTimers());

describe('a call with shared pacing', () => {
  test('asks for a place, sends, and releases the place', async () => {
    const store = createStore(granted);
    const { client, sent } = withStore([answered], store, {}, { perMinute: 7 });
    await client.account();
    expect(sent).toHaveLength(1);
    expect(store.asked).toEqual([
      {
        line: expect.stringMatching(/^[0-9a-f]{32}$/),
        place: expect.stringMatching(/^[0-9a-f-]{36}$/),
        perMinute: 7,
        // The timeout of an attempt, and how long the store may take to answer.
        holdMs: 22_000,
        maxWaitMs: undefined,
      },
    ]);
    const { line, place } = store.asked[0] ?? {};
    expect(store.released).toEqual([{ line, place, isUnused: false, retryAfterMs: undefined }]);
  });

  test('has one line per base URL and key, whose name contains neither', async () => {
    const store = createStore(granted);
    const apiKeys = ['abc', 'abc', 'def'];
    for (const apiKey of apiKeys) await withStore([answered], store, { apiKey }).client.account();
    await withStore([answered], store, {
      apiKey: 'abc',
      baseUrl: 'https://other.example/api/v1',
    }).client.account();
    const lines = store.asked.map(({ line }) => line);
    expect(lines[0]).toBe(lines[1]);
    expect(new Set(lines).size).toBe(3);
  });

  test('asks again for the same place until it is granted, and says that it waits', async () => {
    const store = createStore(waiting(12_000, 5_000), waiting(7_000), granted);
    const events: ClientEvent[] = [];
    const { client, sent } = withStore([answered], store, { onEvent: (event) => void events.push(event) });
    const call = client.account();
    await vi.advanceTimersByTimeAsync(11_999);
    expect([sent.length, store.asked.length]).toEqual([0, 2]);
    await vi.advanceTimersByTimeAsync(1);
    await call;
    expect(new Set(store.asked.map(({ place }) => place)).size).toBe(1);
    expect(events.filter(({ type }) => type === 'wait')).toMatchObject([{ reason: 'pacing', ms: 12_000 }]);
  });

  test('takes a place of its own for each attempt', async () => {
    const store = createStore(granted);
    const { client } = withStore([failure(503, 'DOWN'), answered], store, { retry: { maxAttempts: 2 } });
    const call = client.account();
    await vi.advanceTimersByTimeAsync(1_000);
    await call;
    expect(new Set(store.asked.map(({ place }) => place)).size).toBe(2);
    expect(store.released.map(({ place }) => place)).toEqual(store.asked.map(({ place }) => place));
  });

  test.each<[string, Step, object | undefined]>([
    ['an answer', answered, { isUnused: false, retryAfterMs: undefined }],
    ['a 429', failure(429, 'RATE_LIMITED', { 'retry-after': '7' }), { isUnused: false, retryAfterMs: 7_000 }],
    [
      'a 429 with a long wait',
      failure(429, 'RATE_LIMITED', { 'retry-after': '9999' }),
      { isUnused: false, retryAfterMs: 60_000 },
    ],
    [
      'a used-up quota',
      failure(429, 'QUOTA_EXCEEDED', { 'retry-after': '999' }),
      { isUnused: false, retryAfterMs: undefined },
    ],
    ['a request that never left', refusedConnection, { isUnused: true }],
    ['a lost answer, because the request may arrive later', lost, undefined],
  ])('after %s releases its place accordingly', async (_what, step, released) => {
    const store = createStore(granted);
    await withStore([step], store)
      .client.account()
      .catch(() => undefined);
    expect(store.released).toMatchObject(released ? [released] : []);
    expect(store.released).toHaveLength(released ? 1 : 0);
  });

  test.each<[string, Step]>([
    ['is answered', applied],
    ['is not sent', refusedConnection],
  ])(
    'keeps the place of a lost attempt if a later one is sent without the store and %s',
    async (_what, step) => {
      const store = createStore(granted, down);
      const retry = { maxAttempts: 2 };
      const { client, sent } = withStore([lost, step], store, { retry }, { onStoreDown: { perMinute: 60 } });
      const call = client.tags.create(vip).catch(() => undefined);
      await vi.advanceTimersByTimeAsync(1_000);
      await call;
      expect([sent.length, store.asked.length]).toEqual([2, 2]);
      const [first, second] = store.asked.map(({ place }) => place);
      expect(store.released.map(({ place }) => place)).toEqual([second]);
      expect(first).not.toBe(second);
    },
  );

  test('ignores a store that fails to release', async () => {
    const { shared } = createStore(granted);
    const { client } = scripted([answered], { pacing: { shared: { ...shared, release: down } } });
    await expect(client.account()).resolves.toBeDefined();
  });

  test('does not count the wait against the default deadline, and extends the hold of its entry', async () => {
    const store = createStore(waiting(90_000), granted);
    const { client } = withStore([applied], store);
    const call = client.tags.create(vip);
    await vi.advanceTimersByTimeAsync(1_000);
    const [entry] = await client.operations.list();
    expect(Date.parse(entry?.deadline ?? '') - Date.now()).toBeGreaterThan(145_000);
    await vi.advanceTimersByTimeAsync(90_000);
    expect(await call).toMatchObject({ applied: true });
  });

  test('gives the store the longest wait, and says what to raise if that is too short', async () => {
    const store = createStore({ state: 'refused', waitMs: 40_000, askAgainMs: 0 });
    const { client, sent } = withStore([applied], store, {}, { perMinute: 5 });
    const at = new Date(Date.now() + 40_000);
    const error = await getRejection(client.tags.create(vip, { timeoutMs: 5_000 }));
    expect(store.asked[0]?.maxWaitMs).toBe(5_000);
    expect(error).toBeInstanceOf(DeadlineError);
    expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', waitingFor: 'pacing', retryAt: at });
    expect(error.message).toBe(
      `The shared pacing of 5 requests per minute has no free slot before ${at.toISOString()}. Raise timeoutMs above 40000, omit it, or raise pacing.perMinute. (POST /chat/changes create-tags: DEADLINE_EXCEEDED)`,
    );
    expect(sent).toEqual([]);
    expect((await client.operations.list())[0]?.state).toBe('abandoned');
  });

  test('has no longest wait if its deadline is infinite', async () => {
    const store = createStore(granted);
    await withStore([answered], store).client.account({ timeoutMs: Infinity });
    expect(store.asked[0]?.maxWaitMs).toBeUndefined();
  });

  test.each<[string, PlaceAnswer | (() => Promise<never>)]>([
    ['while it waits in line', waiting(30_000)],
    ['while the store is silent', silent],
  ])('gives its place back if it is aborted %s', async (_when, answer) => {
    const store = createStore(answer);
    const { client, sent } = withStore([answered], store);
    const abort = new AbortController();
    const call = getRejection(client.account({ signal: abort.signal }));
    await vi.advanceTimersByTimeAsync(500);
    abort.abort();
    expect(await call).toMatchObject({ code: 'ABORTED' });
    expect(sent).toEqual([]);
    expect(store.released).toHaveLength(answer === silent ? 0 : 1);
  });

  test('gives back a place that is granted after the call has ended', async () => {
    let grant: (answer: PlaceAnswer) => void = () => undefined;
    const store = createStore(() => new Promise((resolve) => (grant = resolve)));
    const { client, sent } = withStore([answered], store);
    const call = getRejection(client.account());
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await call).toMatchObject({ code: 'PACING_FAILED' });
    grant(granted);
    await vi.advanceTimersByTimeAsync(0);
    expect(store.released).toMatchObject([{ isUnused: true }]);
    expect(sent).toEqual([]);
  });
});

describe('with the store of the pacing down', () => {
  test('a call rejects within 2 s, and nothing is sent', async () => {
    for (const [answer, says] of [
      [down, 'connect ECONNREFUSED 127.0.0.1:5432.'],
      [silent, 'The store did not answer within 2000 ms.'],
    ] as const) {
      const { client, sent } = withStore([applied], createStore(answer));
      const call = getRejection(client.tags.create(vip));
      await vi.advanceTimersByTimeAsync(2_000);
      const error = await call;
      expect(error).toMatchObject({ name: 'OrgChatError', code: 'PACING_FAILED', attempts: 0 });
      expect(error.message).toBe(
        `The shared pacing failed: ${says} This request was not sent. Check its store, or set pacing.onStoreDown to { perMinute } to continue without it. (POST /chat/changes create-tags: PACING_FAILED)`,
      );
      expect((error.cause as Error).message).toBe(says);
      expect(sent).toEqual([]);
      expect((await client.operations.list())[0]?.state).toBe('abandoned');
    }
  });

  test('an attempt after an ambiguous one leaves the outcome unknown', async () => {
    const store = createStore(granted, down);
    const { client } = withStore([lost, applied], store, { retry: { maxAttempts: 3 } });
    const call = getRejection(client.tags.create(vip));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await call).toMatchObject({ code: 'OUTCOME_UNKNOWN', reason: 'PACING_FAILED', attempts: 1 });
  });

  test('onStoreDown extends the hold of an entry that waits in the line of its process', async () => {
    const { client } = withStore([applied], createStore(down), {}, { onStoreDown: { perMinute: 1 } });
    await client.tags.create(vip);
    const second = client.tags.create({ ...vip, name: 'Second' });
    await vi.advanceTimersByTimeAsync(1_000);
    const [entry] = await client.operations.list({ open: true });
    // A minute until its slot is free, and a minute for its requests.
    expect(Date.parse(entry?.deadline ?? '') - Date.now()).toBeGreaterThan(115_000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await second).toMatchObject({ applied: true });
  });

  test('a store that answers late moves the deadline, and the hold of the entry with it', async () => {
    const slow = () => new Promise<PlaceAnswer>((resolve) => setTimeout(resolve, 1_900, granted));
    const deadlines: (string | undefined)[] = [];
    const seen: Step = async (request, body) => {
      deadlines.push((await client.operations.list())[0]?.deadline);
      return lost(request, body);
    };
    const retry = { maxAttempts: 4, baseDelayMs: 1, maxDelayMs: 1 };
    const { client } = withStore([seen], createStore(slow), { retry });
    const call = getRejection(client.tags.create(vip));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await call).toMatchObject({ attempts: 4 });
    const [first, , , last] = deadlines.map((at) => Date.parse(at ?? ''));
    // Three late answers before the last one.
    expect(Number(last) - Number(first)).toBeGreaterThan(5_000);
  });

  test('onStoreDown keeps to a limit of this process alone', async () => {
    const mock = createMock({ now: () => Date.now(), rateLimit: 'off' });
    const options = { apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch };
    const { shared } = createStore(down);
    const client = createClient({
      ...options,
      pacing: { perMinute: 60, shared, onStoreDown: { perMinute: 2 } },
    });
    const calls = [1, 2, 3].map(() => client.account());
    await vi.advanceTimersByTimeAsync(1_000);
    expect(mock.requests.list()).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await Promise.all(calls)).toHaveLength(3);
  });
});

test.each([
  [{ shared: {} }, /^pacing\.shared\.reserve must be a function; got undefined\.$/],
  [{ shared: 'postgres' }, /^pacing\.shared\.reserve must be a function; got undefined\.$/],
  [{ shared: { reserve: down } }, /^pacing\.shared\.release must be a function; got undefined\.$/],
  [
    { onStoreDown: 'wait' },
    /^pacing\.onStoreDown must be 'fail' or \{ perMinute \} with a number, 1 or greater\.$/,
  ],
  [{ onStoreDown: { perMinute: 0 } }, /^pacing\.onStoreDown must be 'fail'/],
  [{ onStoreDown: {} }, /^pacing\.onStoreDown must be 'fail'/],
  [{ share: {} }, /^"share" is not an option of pacing\. Options: perMinute, shared, onStoreDown\.$/],
])('pacing %j is refused', (pacing, says) => {
  expect(() => createClient({ apiKey: 'k', baseUrl: 'https://x.example', pacing: pacing as never })).toThrow(
    says,
  );
});
