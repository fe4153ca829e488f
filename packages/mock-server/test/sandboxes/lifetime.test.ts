import { afterEach, describe, expect, it } from 'vitest';
import { createMock, type Listening, type Mock, type SandboxInput } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A machine whose time passes only in `pass`, which runs the timers that are due. */
class Machine {
  readonly startedAt = Date.parse('2026-04-01T12:00:00Z');
  readonly timers = new Set<Timer>();
  #passed = 0;

  readonly now = (): number => this.startedAt + this.#passed;
  readonly monotonicNow = (): number => this.#passed;
  readonly startTimer = (milliseconds: number, run: () => void): (() => void) => {
    const timer = { at: this.#passed + milliseconds, run };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  };

  pass(milliseconds: number): void {
    this.#passed += milliseconds;
    for (const timer of [...this.timers].filter(({ at }) => at <= this.#passed)) {
      this.timers.delete(timer);
      timer.run();
    }
  }
}

let server: Listening | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const create = (ttlMs = 60_000): { machine: Machine; mock: Mock; sandbox: Mock; caller: Caller } => {
  const machine = new Machine();
  const mock = createMock({
    now: machine.now,
    monotonicNow: machine.monotonicNow,
    startTimer: machine.startTimer,
    rateLimit: 'off',
  });
  const sandbox = mock.sandbox({ ttlMs });
  return { machine, mock, sandbox, caller: new Caller(sandbox) };
};

const expiry = (mock: Mock): (string | null)[] => mock.listSandboxes().map(({ expiresAt }) => expiresAt);

describe('a sandbox with ttlMs', () => {
  it('is dropped once no request came for so long', async () => {
    const { machine, mock, caller } = create();
    expect(expiry(mock)).toEqual(['2026-04-01T12:01:00.000Z']);
    machine.pass(59_999);
    expect((await caller.me()).status).toBe(200);
    machine.pass(60_000);
    expect(mock.listSandboxes()).toEqual([]);
    expect((await caller.me()).status).toBe(410);
    expect(machine.timers.size).toBe(0);
  });

  it('stays alive while its API or control API is used', async () => {
    const { machine, mock, sandbox, caller } = create();
    machine.pass(50_000);
    await caller.me();
    expect(expiry(mock)).toEqual(['2026-04-01T12:01:50.000Z']);
    machine.pass(50_000);
    await sandbox.fetch(`${sandbox.controlUrl}/requests`);
    expect(expiry(mock)).toEqual(['2026-04-01T12:02:40.000Z']);
    machine.pass(50_000);
    await new Caller(mock).me();
    await mock.fetch(`${mock.controlUrl}/sandboxes`);
    expect(expiry(mock)).toEqual(['2026-04-01T12:02:40.000Z']);
    machine.pass(10_000);
    expect(mock.listSandboxes()).toEqual([]);
  });

  it('uses one timer, however many requests come', async () => {
    const { machine, caller } = create();
    for (let i = 0; i < 20; i++) await caller.me();
    expect(machine.timers.size).toBe(1);
  });

  it('does not follow the clock of the mock, which tests move', () => {
    const { machine, mock, sandbox } = create();
    sandbox.clock.advance(86_400_000);
    mock.clock.advance(86_400_000);
    machine.pass(1);
    expect(expiry(mock)).toEqual(['2026-04-01T12:01:00.000Z']);
  });

  it('can be dropped or reset before, and keeps its lifetime over a reset', async () => {
    const { machine, mock, sandbox } = create();
    machine.pass(30_000);
    sandbox.reset();
    machine.pass(29_999);
    expect(mock.sandboxes.size).toBe(1);
    sandbox.drop();
    expect(machine.timers.size).toBe(0);
    machine.pass(60_000);
    mock.sandbox({ ttlMs: 5 });
    expect(mock.dropSandboxes()).toBe(1);
    expect(machine.timers.size).toBe(0);
  });

  it('can be created over HTTP; other sandboxes stay', async () => {
    const { machine, mock } = create(1_000);
    server = await mock.listen({ port: 0 });
    const post = (body: object) =>
      fetch(`${server?.controlUrl}/sandboxes`, { method: 'POST', body: JSON.stringify(body) });
    expect((await post({ ttlMs: 5_000, name: 'short' })).status).toBe(201);
    expect((await post({ name: 'stays' })).status).toBe(201);
    machine.pass(5_000);
    expect(mock.listSandboxes()).toMatchObject([{ name: 'stays', expiresAt: null }]);
  });

  it('uses a timer that does not keep the process alive', () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const sandbox = createMock().sandbox({ ttlMs: 60_000 });
    const active = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    sandbox.drop();
    expect(active).toBe(before);
  });

  it.each([0, -1, 1.5, '60000', null, 604_800_001, Number.POSITIVE_INFINITY])('rejects ttlMs %j', (ttlMs) => {
    const mock = createMock();
    expect(() => mock.sandbox({ ttlMs } as SandboxInput)).toThrow(/^ttlMs must be /);
    expect(mock.listSandboxes()).toEqual([]);
  });
});
