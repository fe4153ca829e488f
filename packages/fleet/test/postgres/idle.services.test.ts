import { setTimeout as sleep } from 'node:timers/promises';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { migrate, outbox, postgresJournal, postgresPacing } from '../../src/postgres.ts';
import { startPostgres } from '../../test-support/engines/postgres-server.ts';
import { organization } from '../../test-support/organization.ts';

/* Commands of a process that has nothing to do. Every connection is counted, that of the session lock included. */

afterEach(() => vi.restoreAllMocks());

/** Commands from now on, as they are sent. */
function countCommands(): { readonly texts: readonly string[] } {
  const texts: string[] = [];
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    texts.push(String((args[0] as { readonly text?: string }).text ?? args[0]));
    return (query as (...args: unknown[]) => unknown).apply(this, args);
  } as typeof query);
  return { texts };
}

test('a process with an idle relay, journal and pacing sends at most one command per 5 s', async () => {
  const server = await startPostgres();
  const mock = createMock();
  try {
    const pool = server.pool();
    await migrate(pool);
    const client = createClient({
      ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
      ...{ journal: postgresJournal(pool), pacing: { shared: postgresPacing(pool) } },
    });
    const box = outbox(pool, { organization });
    const tx = await pool.connect();
    await box.add(tx, { action: 'create-tags', data: { name: 'Last', color: 'pink' } });
    tx.release();
    const end = new AbortController();
    const running = box.run(client, { signal: end.signal });
    await expect.poll(() => box.list()).toEqual([]);
    const { texts } = countCommands();
    // What began with the last change, such as the release of its place, and the first question of the idle relay.
    await expect.poll(() => texts.length).toBeGreaterThan(0);
    const begun = texts.length;
    await sleep(10_500);
    const sent = texts.slice(begun);
    expect(sent.filter((text) => !text.includes('SKIP LOCKED'))).toEqual([]);
    expect([1, 2]).toContain(sent.length);
    end.abort();
    await running;
  } finally {
    await server.stop();
  }
});
