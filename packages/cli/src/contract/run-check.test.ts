import { createMock, type Mock, type MockOptions, type ServerDescription } from '@orgchat/mock-server';
import { describe, expect, test } from 'vitest';
import { type CheckedServer, CheckHarness } from '../../test-support/contract.ts';
import { compare, learn } from './learn.ts';
import { probes } from './probes.ts';
import { topicNames } from './topics.ts';
import type { Verdict, VerdictName } from './verdicts.ts';

const serve = (options: MockOptions = {}): CheckedServer & { readonly mock: Mock } => {
  const mock = createMock(options);
  return { mock, baseUrl: mock.baseUrl, apiKey: 'demo-write-key', fetch: (request) => mock.fetch(request) };
};

const namesOf = (verdicts: readonly Verdict[], ...wanted: readonly VerdictName[]): string[] =>
  verdicts.filter(({ verdict }) => wanted.includes(verdict)).map(({ topic }) => topic);

/** Topics of groups that are not asked without a flag. */
const needFlags = topicNames.filter((topic) =>
  probes.every(
    ({ group, topics }) => !topics.includes(topic) || ['write', 'forbidden', 'minute'].includes(group),
  ),
);

const unknownWithoutFlags = (...others: readonly string[]): readonly string[] =>
  topicNames.filter((topic) => others.includes(topic) || needFlags.includes(topic));

describe('a check of the mock', () => {
  test('finds that it is as decided, and writes nothing', async () => {
    const server = serve();
    const { verdicts, requests, stopped } = await new CheckHarness().check(server);
    expect(stopped).toBeUndefined();
    expect(namesOf(verdicts, 'differs', 'mixed', 'violates')).toEqual([]);
    // The demo has no list that is longer than a page.
    expect(namesOf(verdicts, 'unknown')).toEqual(unknownWithoutFlags('limits.pageSize'));
    expect(learn(verdicts).filter(({ value }) => value !== undefined)).toEqual([]);
    const log = server.mock.requests.list();
    expect(requests).toBe(log.length);
    expect(requests).toBeLessThanOrEqual(50);
    expect(
      log.filter(({ operation }) => operation === 'changeChat' || operation === 'addSeoKeywords'),
    ).toEqual([]);
  });

  test('keeps no value of any record in the run file', async () => {
    const harness = new CheckHarness();
    const server = serve();
    await harness.check(server);
    expect(harness.files.size).toBe(2);
    const text = [...harness.files.values()].join('');
    const { organizations } = server.mock.state() as unknown as { organizations: readonly object[] };
    const values = new Set<string>();
    JSON.stringify(organizations, (_, value: unknown) => {
      if (typeof value === 'string' && value.length > 8) values.add(value);
      return value;
    });
    expect(values.size).toBeGreaterThan(100);
    expect([...values].filter((value) => text.includes(JSON.stringify(value)))).toEqual([]);
  });
});

test('learns codes, shapes, limits and behavior of a described server, and its twin answers the same check', async () => {
  const planted: ServerDescription = {
    server: 1,
    codes: { unauthorized: 'bad_key', invalidInput: 'validation_failed', notFound: 'missing' },
    shapes: {
      list: { records: '/data/rows', total: '/meta/total', limited: null, order: 'oldest' },
      one: '/records/0',
      record: {
        revision: '/meta/version',
        label: '/meta/title',
        data: '/attributes',
        rename: { createdAt: '/created_at', updatedAt: '/updated_at' },
      },
      row: { guards: false },
      resources: { links: { one: '/link' } },
    },
    limits: { pageSize: 3, perMinute: 50 },
    behavior: { requestIdOn2xx: false, dates: 's' },
  };
  const check = async () => {
    const harness = new CheckHarness();
    const server = serve({ server: planted, now: () => harness.now });
    // A list has to be longer than a page.
    for (const name of ['one', 'two']) {
      const change = { action: 'create-tags', data: { name, color: 'blue' } };
      const body = JSON.stringify({ operationId: crypto.randomUUID(), change });
      const headers = { authorization: `Bearer ${server.apiKey}` };
      await server.fetch(new Request(`${server.baseUrl}/chat/changes`, { method: 'POST', headers, body }));
      harness.now += 60_000;
    }
    return harness.check(server);
  };
  const first = await check();
  expect(namesOf(first.verdicts, 'violates', 'unknown')).toEqual(unknownWithoutFlags('lists.limited'));
  const learned = learn(first.verdicts);
  expect(compare(planted, learned)).toEqual([]);
  expect(compare({ server: 1 }, learned).map(({ key }) => key.join('.'))).toEqual(
    expect.arrayContaining(['codes.notFound', 'shapes.one', 'limits.pageSize', 'behavior.dates']),
  );
  const second = await check();
  expect(second.verdicts).toEqual(first.verdicts);
});

describe('the requests of a check', () => {
  test('come at most 40 in any minute, also over two commands', async () => {
    const harness = new CheckHarness();
    const server = serve({ now: () => harness.now });
    await harness.check(server);
    await harness.check(server, { fresh: true });
    const { arrivals } = harness;
    expect(arrivals.length).toBeGreaterThan(60);
    for (const [at, time] of arrivals.entries())
      expect(arrivals.slice(at).filter((other) => other < time + 60_000).length).toBeLessThanOrEqual(40);
  });

  test('are counted before they are sent, and end at the budget; the next command continues', async () => {
    const harness = new CheckHarness();
    const server = serve();
    const first = await harness.check(server, { budget: 10 });
    expect(first.stopped?.reason).toBe('budget');
    expect(first.requests).toBe(10);
    expect(harness.arrivals).toHaveLength(10);
    const second = await harness.check(server);
    expect(second.stopped).toBeUndefined();
    // The account again, and the probe that had not ended.
    expect(second.requests).toBeLessThanOrEqual(50 + 4);
    expect(namesOf(second.verdicts, 'unknown')).toEqual(unknownWithoutFlags('limits.pageSize'));
  });

  test('have a budget per command, which earlier ones leave as it is', async () => {
    const harness = new CheckHarness();
    const server = serve({ rateLimit: 'off' });
    const fetch = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));
    for (let n = 0; n < 3; n++)
      await expect(harness.check(server, { budget: 2, fetch })).rejects.toThrow(/cannot be reached/);
    const asked = [];
    for (let n = 0; n < 3; n++) asked.push((await harness.check(server, { budget: 5 })).asked);
    expect(asked.toSorted((a, b) => a - b)).toEqual(asked);
    expect(new Set(asked).size).toBe(3);
  });

  test('are sent again if the earlier run asks other groups, or began a day ago', async () => {
    const harness = new CheckHarness();
    const server = serve({ rateLimit: 'off' });
    const first = await harness.check(server, { budget: 5, only: ['lists'] });
    harness.now += 1000;
    const other = await harness.check(server, { budget: 5, only: ['lists', 'path'] });
    expect(other.startedAt).not.toBe(first.startedAt);
    harness.now += 23 * 3_600_000;
    const same = await harness.check(server, { budget: 5, only: ['lists', 'path'] });
    expect(same.startedAt).toBe(other.startedAt);
    harness.now += 3_600_000;
    const late = await harness.check(server, { budget: 5, only: ['lists', 'path'] });
    expect(late.startedAt).not.toBe(other.startedAt);
    expect(late.asked).toBeLessThan(same.asked);
  });

  test('after an end at any request, the next command ends the run with the same verdicts', async () => {
    const whole = await new CheckHarness().check(serve());
    // All positions take half a minute.
    for (const cut of [1, 6, 11, 23, 26, whole.requests - 1]) {
      const harness = new CheckHarness();
      const server = serve({ rateLimit: 'off' });
      let sent = 0;
      const failing = (request: Request): Promise<Response> =>
        ++sent > cut ? Promise.reject(new TypeError('fetch failed')) : server.fetch(request);
      const broken = await harness.check(server, { fetch: failing });
      expect(broken.stopped?.reason).toBe('unreachable');
      const next = await harness.check(server);
      expect(next.stopped).toBeUndefined();
      expect(next.verdicts).toEqual(whole.verdicts);
    }
  });

  test('wait after a 429 at any position', async () => {
    const whole = await new CheckHarness().check(serve());
    for (const position of [0, 7, 12, 25, 30, whole.requests - 1]) {
      const server = serve();
      let sent = 0;
      const limiting = (request: Request): Promise<Response> => {
        if (sent++ === position) {
          const body = { error: 'RATE_LIMITED', message: 'x' };
          const headers = position % 2 === 0 ? { 'retry-after': '7' } : {};
          return Promise.resolve(Response.json(body, { status: 429, headers }));
        }
        return server.fetch(request);
      };
      const { verdicts, stopped, requests } = await new CheckHarness().check(server, { fetch: limiting });
      expect(stopped).toBeUndefined();
      expect(verdicts).toEqual(whole.verdicts);
      expect(requests).toBe(whole.requests + 1);
    }
  });

  test('leave 5 % of the requests of the month to others', async () => {
    const server = serve({ monthlyLimit: 100, rateLimit: 'off' });
    const headers = { authorization: 'Bearer demo-read-key' };
    for (let n = 0; n < 80; n++) await server.fetch(new Request(`${server.baseUrl}/me`, { headers }));
    const { stopped } = await new CheckHarness().check(server);
    expect(stopped?.reason).toBe('quota');
    expect(server.mock.requests.list()).toHaveLength(95);
  });
});

describe('the groups that need a flag', () => {
  const limited = { codes: { rateLimited: 'slow_down' }, limits: { retryAfter: 'date' } } as const;

  test('are not asked without it, and say which', async () => {
    const { verdicts } = await new CheckHarness().check(serve());
    const reasons = new Map(verdicts.map(({ topic, reason }) => [topic, reason]));
    expect(reasons.get('codes.forbidden')).toBe('it needs --read-key-file');
    expect(reasons.get('codes.rateLimited')).toBe('it needs --exhaust-minute');
  });

  test('forbidden sends one change, with a read key of the organization, which is refused', async () => {
    const server = serve();
    const readKey = 'demo-read-key';
    const { verdicts } = await new CheckHarness().check(server, { only: ['forbidden'], readKey });
    expect(namesOf(verdicts, 'as decided')).toEqual(
      expect.arrayContaining(['write.forbidden', 'codes.forbidden']),
    );
    const changes = server.mock.requests.list().filter(({ operation }) => operation === 'changeChat');
    expect(changes).toMatchObject([{ status: 403, applied: false, keyName: 'Demo read key' }]);
    const other = serve();
    const wrong = await new CheckHarness().check(other, { only: ['forbidden'], readKey: other.apiKey });
    expect(namesOf(wrong.verdicts, 'as decided')).not.toContain('write.forbidden');
    expect(other.mock.requests.list().some(({ operation }) => operation === 'changeChat')).toBe(false);
  });

  test('minute is the last, and learns the code of the limit and the form of Retry-After', async () => {
    const harness = new CheckHarness();
    const server = serve({ server: { server: 1, ...limited }, now: () => harness.now });
    const { verdicts } = await harness.check(server, { only: ['path', 'minute'], exhaustMinute: true });
    expect(compare({ server: 1, ...limited }, learn(verdicts))).toEqual([]);
    expect(namesOf(verdicts, 'differs')).toEqual(['codes.rateLimited', 'limits.retryAfter']);
    expect(server.mock.requests.list().map(({ status }) => status)).toEqual([
      200,
      404,
      ...Array.from({ length: 60 - 1 }, () => 200),
      429,
    ]);
  });

  const minuteOf = async (harness: CheckHarness, fetch: (request: Request) => Promise<Response>) => {
    const server = { ...serve({ rateLimit: 'off' }), fetch };
    const { verdicts } = await harness.check(server, { only: ['minute'], exhaustMinute: true });
    return verdicts.find(({ topic }) => topic === 'limits.minute');
  };

  test('minute says nothing about a limit that its requests cannot reach', async () => {
    const harness = new CheckHarness();
    const { mock } = serve({ rateLimit: 'off' });
    const slow = await minuteOf(harness, (request) => {
      harness.now += 1500;
      return mock.fetch(request);
    });
    expect(slow).toMatchObject({ verdict: 'unknown', reason: expect.stringContaining('so long') });
  });

  test('minute also reaches a limit per minute of the clock that begins in between', async () => {
    const harness = new CheckHarness();
    harness.now += 45_000;
    const { mock } = serve({ rateLimit: 'off' });
    const counts = new Map<number, number>();
    const found = await minuteOf(harness, (request) => {
      harness.now += 400;
      const minute = Math.floor(harness.now / 60_000);
      const count = (counts.get(minute) ?? 0) + 1;
      counts.set(minute, count);
      if (count <= 60) return mock.fetch(request);
      return Promise.resolve(Response.json({ error: 'RATE_LIMITED', message: 'x' }, { status: 429 }));
    });
    expect(found?.verdict).toBe('as decided');
  });
});
