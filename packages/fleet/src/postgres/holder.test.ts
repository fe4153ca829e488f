import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { getHolder } from './holder.ts';

/** A pool whose connections answer after so many milliseconds, and what they were asked. */
function createPool(answerMs = () => 0, isLocked = () => true) {
  const asked: string[] = [];
  let open = 0;
  let opened = 0;
  class Client {
    readonly processID = 1;
    on() {}
    unref() {}
    async connect() {
      open++;
      opened++;
      if (answerMs() > 0) await sleep(answerMs());
    }
    async query(text: string) {
      asked.push(text);
      return { rows: [{ pid: 1, is_locked: !text.includes('advisory') || isLocked() }] };
    }
    async end() {
      open--;
    }
  }
  const pool = { Client, options: {}, ending: false, on: () => undefined, query: async () => ({ rows: [] }) };
  const holder = getHolder(pool, () => undefined);
  onTestFinished(() => {
    pool.ending = true;
  });
  return { pool, holder, asked, getOpen: () => open, getOpened: () => opened };
}

test('the engine looks for a machine that is gone from the moment that its lock is held', async () => {
  const { holder, asked } = createPool();
  expect(await holder.current(1_000)).toBeGreaterThan(0);
  const lockAt = asked.findIndex((text) => text.includes('pg_try_advisory_lock'));
  const before = asked.slice(0, lockAt).join();
  for (const setting of ['keepalives_idle', 'keepalives_interval', 'keepalives_count', 'user_timeout'])
    expect(before).toContain(`SET tcp_${setting} = `);
  expect(before).toMatch(
    /set_config\(name, '0', false\) FROM pg_settings WHERE name = 'idle_session_timeout'/,
  );
});

test('a session that is made too late is closed, and holds no lock', async () => {
  let delayMs = 300;
  const { holder, getOpen } = createPool(() => delayMs);
  await expect(holder.current(100)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  delayMs = 0;
  await expect.poll(getOpen).toBe(0);
  expect(await holder.current(1_000)).toBeGreaterThan(0);
  expect(getOpen()).toBe(1);
});

test('a pool that was ended without a connection of its own ends the session too', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { pool, holder, getOpen } = createPool();
  await holder.current(1_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(getOpen()).toBe(1);
  pool.ending = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(getOpen()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('a pool that was ended gets no other session', async () => {
  const { pool, holder, getOpen } = createPool();
  pool.ending = true;
  await expect(holder.current(20)).rejects.toThrow('the pool was ended');
  expect(getOpen()).toBe(0);
});

describe('while something is held, the engine is asked every few seconds', () => {
  const fake = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] as const;
  const locks = (asked: readonly string[]) => asked.filter((text) => text.includes('pg_try_advisory_lock'));
  beforeEach(() => void vi.useFakeTimers({ toFake: [...fake] }));
  afterEach(() => void vi.useRealTimers());

  test('and no more when it is not', async () => {
    const { holder, asked } = createPool();
    await holder.current(0, { token: 'one', ms: 30_000 });
    await holder.current(0, { token: 'other', ms: 60_000 });
    await vi.advanceTimersByTimeAsync(30_000);
    holder.end('other');
    const count = locks(asked).length;
    expect(count).toBeGreaterThanOrEqual(8);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(locks(asked)).toHaveLength(count);
    // Before something is held again, once.
    await holder.current(1_000);
    await holder.current(1_000, { token: 'one', ms: 1 });
    expect(locks(asked)).toHaveLength(count + 1);
  });

  test('and what it has lost is taken again with the same number, without a call', async () => {
    const answers = [true, false];
    const { holder, getOpen, getOpened } = createPool(
      () => 0,
      () => answers.shift() ?? true,
    );
    const number = await holder.current(1_000, { token: 'one', ms: 60_000 });
    await vi.advanceTimersByTimeAsync(6_000);
    expect([getOpen(), getOpened()]).toEqual([1, 2]);
    expect(await holder.current(1_000)).toBe(number);
  });
});

test('everybody who asks hears once that there is no lock', async () => {
  const pool = { query: async () => ({ rows: [] }) };
  const warnings: string[] = [];
  const warnOutbox = ({ code }: { readonly code: string }) => void warnings.push(`outbox ${code}`);
  const warnJournal = ({ code }: { readonly code: string }) => void warnings.push(`journal ${code}`);
  const first = getHolder(pool, warnOutbox);
  await first.current(1_000);
  const others = [getHolder(pool, warnJournal), getHolder(pool, warnOutbox)];
  expect(warnings).toEqual(['outbox LEASE_ONLY']);
  for (const holder of [...others, first, ...others]) expect(await holder.current(1_000)).toBeUndefined();
  expect(warnings).toEqual(['outbox LEASE_ONLY', 'journal LEASE_ONLY']);
});
