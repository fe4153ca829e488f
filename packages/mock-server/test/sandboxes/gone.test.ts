import { afterEach, describe, expect, it } from 'vitest';
import { ControlError, createMock, type Listening, type Mock } from '../../src/index.ts';
import { maxGoneSandboxes } from '../../src/mock-limits.ts';
import { GoneSandboxes } from '../../src/sandboxes/gone-sandboxes.ts';
import { Caller } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';

/** A mock whose machine time passes only when a test says so. */
function open() {
  let passed = 0;
  const startedAt = Date.parse('2026-04-01T12:00:00Z');
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const mock = createMock({
    now: () => startedAt + passed,
    monotonicNow: () => passed,
    startTimer: (milliseconds, run) => {
      const timer = { at: passed + milliseconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    rateLimit: 'off',
  });
  const pass = (milliseconds: number): void => {
    passed += milliseconds;
    for (const timer of [...timers].filter(({ at }) => at <= passed)) {
      timers.delete(timer);
      timer.run();
    }
  };
  return { mock, pass };
}

let server: Listening | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const create = { action: 'create-tags', data: data.tags };

describe('a sandbox that is gone', () => {
  it('says so on every path of the API, with name, time and reason', async () => {
    const { mock, pass } = open();
    const expired = mock.sandbox({ name: 'orders test', ttlMs: 300 });
    const dropped = mock.sandbox();
    pass(1_000);
    dropped.drop();
    for (const [sandbox, says] of [
      [
        expired,
        /Sandbox "orders test" \(sandbox-\w+\) is gone\. It expired at 2026-04-01T12:00:01\.000Z, because no request came for 300 ms/,
      ],
      [dropped, /Sandbox sandbox-\w+ is gone\. It was dropped at 2026-04-01T12:00:01\.000Z/],
    ] as const) {
      const caller = new Caller(sandbox);
      const answers = [
        await caller.me(),
        await caller.apply(create),
        await caller.read({ resource: 'tags' }),
        await caller.keywords('demo-site', { keywords: ['a'] }),
        await caller.send('/nowhere'),
      ];
      for (const { status, body, headers } of answers) {
        expect([status, body.error, Object.keys(body)]).toEqual([410, 'SANDBOX_GONE', ['error', 'message']]);
        expect(body.message).toMatch(says);
        expect(headers.get('x-request-id')).toBeTruthy();
      }
      expect((await caller.me({ headers: { 'Accept-Language': 'ja' } })).body.message).toMatch(
        /サンドボックス/,
      );
      const { decidedBy, status, error } = mock.requests.list().at(-2) ?? {};
      expect([status, error]).toEqual([410, 'SANDBOX_GONE']);
      expect(decidedBy?.because).toMatch(says);
    }
  });

  it('says so on every path of the control API, and to who drops it again', async () => {
    const { mock, pass } = open();
    const sandbox = mock.sandbox({ name: 'a', ttlMs: 300 });
    pass(300);
    const gone = { id: sandbox.id, name: 'a', at: '2026-04-01T12:00:00.300Z', reason: 'expired', ttlMs: 300 };
    for (const [method, path] of [
      ['GET', '/requests'],
      ['POST', '/reset'],
      ['GET', '/health'],
      ['GET', '/nowhere'],
      ['GET', '/'],
    ] as const) {
      const response = await mock.fetch(`${sandbox.controlUrl}${path}`, { method });
      expect([response.status, await response.json()]).toMatchObject([
        410,
        { error: 'SANDBOX_GONE', sandbox: gone },
      ]);
    }
    const again = await mock.fetch(`${mock.controlUrl}/sandboxes/${sandbox.id}`, { method: 'DELETE' });
    expect([again.status, await again.json()]).toMatchObject([410, { error: 'SANDBOX_GONE', sandbox: gone }]);
    expect(() => mock.dropSandbox(sandbox.id ?? '')).toThrow(ControlError);
  });

  it('keeps to the access rules of the control API', async () => {
    const mock = createMock({ controlToken: 'let-me-in' });
    server = await mock.listen({ port: 0 });
    const sandbox = mock.sandbox();
    sandbox.drop();
    const path = `${server.url}/_sandbox/${sandbox.id}/_mock/state`;
    expect((await fetch(path)).status).toBe(401);
    expect((await fetch(path, { headers: { Authorization: 'Bearer let-me-in' } })).status).toBe(410);
  });

  it('is told from one that was never there', async () => {
    const { mock } = open();
    for (const path of ['/_sandbox/sandbox-zzz/api/v1/me', '/_sandbox/x/_mock/state', '/_sandbox/x']) {
      const response = await mock.fetch(new URL(path, mock.baseUrl));
      const body = (await response.json()) as { error: string; message: string };
      expect([response.status, body.error]).toEqual([404, 'NOT_FOUND']);
      expect(body.message).toContain('never existed here, or before the last start');
    }
    const unknown = await mock.fetch(`${mock.controlUrl}/sandboxes/nobody`, { method: 'DELETE' });
    expect(unknown.status).toBe(404);
  });

  it('is remembered within a sandbox, too', async () => {
    const { mock } = open();
    const inner: Mock = mock.sandbox().sandbox({ name: 'inner' });
    inner.drop();
    expect((await new Caller(inner).me()).status).toBe(410);
  });
});

it('the last 10,000 gone sandboxes are remembered', () => {
  const gone = new GoneSandboxes();
  const add = (n: number): void =>
    gone.add({ id: `${n}`, name: undefined, at: '', reason: 'dropped', ttlMs: undefined });
  for (let n = 0; n <= maxGoneSandboxes; n++) add(n);
  expect([gone.get('0'), gone.get('1')?.id, gone.get(`${maxGoneSandboxes}`)?.id]).toEqual([
    undefined,
    '1',
    `${maxGoneSandboxes}`,
  ]);
});
