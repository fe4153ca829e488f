import { describe, expect, it } from 'vitest';
import { ControlError, createMock, type Mock, type Verification } from '../../src/index.ts';
import { RequestLogAssertions } from '../../src/testing/request-log-assertions.ts';
import { Caller } from '../../test-support/caller.ts';
import { useServer } from '../../test-support/control-server.ts';
import { vip } from '../../test-support/data.ts';

const { caller, control } = useServer();
const unlimited = { rateLimit: 'off', monthlyLimit: 'off' } as const;
const createTag = (name: string) => ({ action: 'create-tags', data: { name, color: 'pink' } });

function catchError(run: () => unknown): ControlError {
  try {
    run();
  } catch (error) {
    if (error instanceof ControlError) return error;
  }
  throw new Error('It was not refused.');
}

const verify = (expected: object) => control('POST', '/requests/verify', expected);

describe('each filter', () => {
  it('matches what a request has, and names what differs', async () => {
    const operationId = 'A0000000-0000-4000-8000-000000000001';
    const { body } = await caller.change(operationId, createTag('VIP'));
    await caller.read({ resource: 'friends', search: 'aiko' });
    const matching = {
      operation: 'changeChat',
      action: 'create-tags',
      resource: 'tags',
      recordId: body.result.id.toUpperCase(),
      operationId: operationId.toUpperCase(),
      key: 'demo-write-key',
      status: 200,
      applied: true,
      body: { change: { data: { name: 'VIP' } } },
    };
    expect((await verify({ ...matching, times: 1 })).status).toBe(200);
    const other = {
      operation: 'readStudio',
      action: 'update-tags',
      resource: 'forms',
      recordId: vip,
      operationId: 'B0000000-0000-4000-8000-000000000001',
      key: 'demo-read-key',
      status: 409,
      applied: false,
      body: { change: { data: { name: 'Other' } } },
    };
    /** What no request can have beside it. */
    const excluded: Partial<Record<string, readonly string[]>> = {
      operation: ['action', 'resource', 'recordId', 'operationId', 'applied', 'body'],
      resource: ['action', 'recordId'],
      status: ['recordId', 'applied'],
      applied: ['recordId'],
    };
    for (const name of Object.keys(matching) as (keyof typeof matching)[]) {
      const others = Object.entries(matching).filter(([field]) => !excluded[name]?.includes(field));
      const expected = { ...Object.fromEntries(others), [name]: other[name] };
      expect([name, (await verify({ ...expected, times: 0 })).status]).toEqual([name, 200]);
      const missed = await verify({ ...expected, times: 1 });
      expect([name, missed.status]).toEqual([name, 409]);
      const [near] = missed.body.nearMisses as { missed: string[]; differences: { field: string }[] }[];
      expect(near?.missed).toEqual([name]);
      expect(near?.differences.map(({ field }) => field)).toEqual([
        name === 'body' ? 'body.change.data.name' : name,
      ]);
    }
  });

  it('says what was expected and found, with masked keys', async () => {
    await caller.apply(createTag('VIP'));
    const { body } = await verify({
      status: 409,
      key: 'demo-read-key',
      body: { change: { data: { name: 'Gold', color: 'pink' }, note: 1 } },
      times: 1,
    });
    expect(body.nearMisses).toMatchObject([
      {
        missed: ['status', 'key', 'body'],
        differences: [
          { field: 'status', expected: 409, found: 200 },
          { field: 'key', expected: 'demo***ey', found: 'demo***ey' },
          { field: 'body.change.data.name', expected: 'Gold', found: 'VIP' },
          { field: 'body.change.note', expected: 1 },
        ],
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/demo-(read|write)-key/);
  });
});

describe('a part of the body', () => {
  const count = (mock: Mock, body: Record<string, unknown>): number =>
    catchError(() => mock.requests.verify({ body, times: 1000 })).extra.count as number;

  it('is compared by fields, and lists item by item', async () => {
    const mock = createMock(unlimited);
    const send = new Caller(mock);
    await send.keywords('demo-site', { keywords: ['a', 'b'], group: null });
    await send.me();
    expect(count(mock, {})).toBe(1);
    expect(count(mock, { keywords: ['a', 'b'] })).toBe(1);
    expect(count(mock, { keywords: ['a'] })).toBe(0);
    expect(count(mock, { keywords: ['b', 'a'] })).toBe(0);
    expect(count(mock, { group: null })).toBe(1);
    expect(count(mock, { other: null })).toBe(0);
    expect(count(mock, { keywords: { 0: 'a' } })).toBe(0);
    expect(count(mock, { toString: 'x' })).toBe(0);
  });

  it('shows at most five differences, and the start of long values', async () => {
    const mock = createMock(unlimited);
    await new Caller(mock).keywords('demo-site', { keywords: ['x'.repeat(1000)] });
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`field-${n}`, 'y'.repeat(1000)]));
    const { extra } = catchError(() => mock.requests.verify({ body: { keywords: 'z', ...many }, times: 1 }));
    const [near] = extra.nearMisses as { differences: { found?: string }[] }[];
    expect(near?.differences).toHaveLength(5);
    expect(JSON.stringify(near?.differences).length).toBeLessThan(2_500);
    expect(near?.differences[0]?.found).toMatch(/^\["x+…$/);
  });
});

describe('the expected number', () => {
  it.each([
    [{ times: 2 }, 200],
    [{ times: 1 }, 409],
    [{ times: { atLeast: 1 } }, 200],
    [{ times: { atLeast: 2, atMost: 2 } }, 200],
    [{ times: { atLeast: 3 } }, 409],
    [{ times: { atMost: 2 } }, 200],
    [{ times: { atMost: 1 } }, 409],
    [{ times: {} }, 400],
    [{ times: { atLeast: 2, atMost: 1 } }, 400],
    [{ times: { atLeast: -1 } }, 400],
    [{ times: { least: 1 } }, 400],
    [{ times: '2' }, 400],
    [{}, 400],
  ])('%j of two requests is %i', async (expected, status) => {
    await caller.me();
    await caller.me();
    const answer = await verify({ operation: 'getAccount', ...expected });
    expect(answer.status).toBe(status);
    if (status === 400) {
      expect(answer.body.message).toMatch(
        /^times(?:\.atLeast)? (?:is required|must be a whole number|must be at least|must have atLeast|has unknown)/,
      );
    }
  });

  it('is described in the message', async () => {
    const mock = createMock(unlimited);
    const message = (times: Verification['times']): string =>
      catchError(() => mock.requests.verify({ times })).message;
    expect(message(1)).toBe('Expected 1 matching requests, found 0.');
    expect(message({ atLeast: 2 })).toBe('Expected at least 2 matching requests, found 0.');
    expect(message({ atLeast: 2, atMost: 3 })).toBe('Expected 2 to 3 matching requests, found 0.');
    await new Caller(mock).me();
    expect(message({ atMost: 0 })).toBe('Expected at most 0 matching requests, found 1.');
    new RequestLogAssertions(mock).requested({ operation: 'getAccount' }, { atLeast: 1 });
    expect(() => new RequestLogAssertions(mock).requested({}, { atLeast: 2 })).toThrow(/at least 2/);
  });
});

describe.each([
  ['Japanese', '日本語のとても長いサイト識別子'.repeat(2)],
  ['long', 's'.repeat(300)],
])('the %s id of a site', (_, siteId) => {
  it('is matched, and its path is whole', async () => {
    const mock = createMock(unlimited);
    mock.inject.site({ id: siteId, name: 'Site' });
    const caller = new Caller(mock);
    const encoded = encodeURIComponent(siteId);
    expect((await caller.keywords(encoded, { keywords: ['a'] })).status).toBe(201);
    const path = `/sites/${encoded}/keywords`;
    expect(mock.requests.list()[0]?.path).toBe(path);
    for (const filter of [{ siteId }, { path }, { siteId, applied: true }, { siteId, path }]) {
      expect(mock.requests.verify({ ...filter, times: 1 })).toEqual({ ok: true });
      expect(catchError(() => mock.requests.verify({ ...filter, times: 0 })).status).toBe(409);
    }
  });
});

it('long texts that the mock does not know are matched, and told from texts with the same start', async () => {
  const mock = createMock(unlimited);
  const [sent, other] = ['A', 'B'].map((end) => 'x'.repeat(1000) + end) as [string, string];
  const caller = new Caller(mock);
  await caller.as(sent).me();
  await caller.keywords(sent, { keywords: ['a'] });
  await caller.send(`/${sent}`);
  await caller.change(sent, createTag('VIP'));
  const toFilters = (text: string): Omit<Verification, 'times'>[] => [
    { key: text },
    { siteId: text },
    { path: `/sites/${text}/keywords` },
    { path: `/${text}` },
    { operationId: text },
  ];
  for (const filter of toFilters(sent)) {
    expect(mock.requests.verify({ ...filter, times: 1 })).toEqual({ ok: true });
    expect(catchError(() => mock.requests.verify({ ...filter, times: 0 })).extra.count).toBe(1);
  }
  for (const filter of toFilters(other))
    expect(() => mock.requests.verify({ ...filter, times: 1 })).toThrow(ControlError);
});

describe('what the log dropped', () => {
  it('does not matter if the result is certain without it', async () => {
    const mock = createMock({ ...unlimited, requestLogSize: 5 });
    for (let n = 0; n < 8; n++) await new Caller(mock).me();
    expect(mock.requests.verify({ times: { atLeast: 5 } })).toEqual({ ok: true });
    expect(mock.requests.verify({ times: { atLeast: 5, atMost: 8 } })).toEqual({ ok: true });
    for (const times of [8, { atLeast: 6 }, { atMost: 7 }]) {
      const { extra } = catchError(() => mock.requests.verify({ times }));
      expect(extra).toMatchObject({ complete: false, count: 5, expected: times });
    }
  });

  it('matters for bodies that were dropped or cut off', async () => {
    const mock = createMock({ ...unlimited, logBytes: 0 });
    await new Caller(mock).apply(createTag('VIP'));
    const body = { change: { data: { name: 'VIP' } } };
    for (const times of [0, 1]) {
      const { extra, message } = catchError(() => mock.requests.verify({ body, times }));
      expect(extra).toMatchObject({ complete: false, count: 0 });
      expect(message).toContain('--log-bytes');
    }
    expect(mock.requests.verify({ action: 'update-tags', body, times: 0 })).toEqual({ ok: true });
    const whole = createMock(unlimited);
    await new Caller(whole).keywords('demo-site', { keywords: Array(20_000).fill('long') });
    expect(catchError(() => whole.requests.verify({ body: { group: 'a' }, times: 0 })).extra.complete).toBe(
      false,
    );
  });
});

it('unknown filters are refused', async () => {
  const { status, body } = await verify({ method: 'GET', body: [], applied: 'yes', resource: 'x', times: 0 });
  expect(status).toBe(400);
  for (const name of ['method', 'body', 'applied', 'resource']) expect(body.message).toContain(name);
});
