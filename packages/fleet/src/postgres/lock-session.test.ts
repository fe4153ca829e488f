import { expect, test } from 'vitest';
import { openLockSession } from './lock-session.ts';

type Listener = (notification: { readonly channel: string }) => void;

/** Behind a pooler: a pool whose connections hear of notifications on these channels when one is sent. */
function createPool(toHeard: (channel: string) => string) {
  const listeners: Listener[] = [];
  let open = 0;
  class Client {
    readonly processID = 1;
    on(event: string, listener: unknown) {
      if (event === 'notification') listeners.push(listener as Listener);
    }
    unref() {}
    async connect() {
      open++;
    }
    async query(_text: string) {
      return { rows: [{ pid: 2, is_locked: true }] };
    }
    async end() {
      open--;
    }
  }
  const query = async (text: unknown) => {
    const channel = toHeard(/^NOTIFY (orgchat_\w+)$/.exec(String(text))?.[1] ?? '');
    for (const listener of listeners) listener({ channel });
    return { rows: [] };
  };
  const pool = { Client, options: {}, on: () => undefined, query, connect: () => expect.fail() };
  return { pool, getOpen: () => open };
}

const limits = { timeoutMs: 40, isTooLate: () => false, isAgain: false };

test('a connection of a pooler that hears of its own notification has a session', async () => {
  const { pool, getOpen } = createPool((channel) => channel);
  expect(await openLockSession(pool, 2_000, limits)).toHaveProperty('connection');
  expect(getOpen()).toBe(1);
});

test('a connection that hears only other notifications has no session', async () => {
  const { pool, getOpen } = createPool(() => 'orgchat_of_others');
  expect(await openLockSession(pool, 2_000, limits)).toEqual({
    leaseOnly: 'A connection pooler such as pgbouncer is in front of Postgres',
  });
  expect(getOpen()).toBe(0);
});
