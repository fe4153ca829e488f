import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { getHolder } from './holder.ts';

/** A pool whose connections answer after so many milliseconds, and what they were asked. */
function createPool(answerMs = () => 0) {
  const asked: string[] = [];
  let open = 0;
  class Client {
    readonly processID = 1;
    on() {}
    unref() {}
    async connect() {
      open++;
      await sleep(answerMs());
    }
    async query(text: string) {
      asked.push(text);
      return { rows: [{ pid: 1, is_locked: true }] };
    }
    async end() {
      open--;
    }
  }
  const pool = { Client, options: {}, on: () => undefined, query: async () => ({ rows: [] }) };
  const holder = getHolder(pool, () => undefined);
  return { holder, asked, getOpen: () => open };
}

test('the engine looks for a machine that is gone from the moment that its lock is held', async () => {
  const { holder, asked } = createPool();
  expect(await holder.current(1_000)).toBeGreaterThan(0);
  const lockAt = asked.findIndex((text) => text.includes('pg_try_advisory_lock'));
  const before = asked.slice(0, lockAt).join();
  for (const setting of ['keepalives_idle', 'keepalives_interval', 'keepalives_count', 'user_timeout'])
    expect(before).toContain(`SET tcp_${setting} = `);
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
