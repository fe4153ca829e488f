import { chmodSync, chownSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cert, key } from '../../../../test/test-support/certificate.ts';
import { startPgbouncer } from '../../test-support/engines/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { migrate, postgresJournal } from '../postgres.ts';

/* The session whose lock shows that a process is alive: it lasts as long as the pool, and no longer. */

let server: PostgresServer;
let admin: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  admin = server.pool();
  await migrate(admin);
});
afterAll(() => server.stop());

const entry = (id: string): JournalEntry => ({
  ...{ format: 2, kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 },
  ...{ operationId: id, target: 'lock-session', token: id, createdAt: '2026', updatedAt: '2026' },
  deadline: new Date(Date.now() + 60_000).toISOString(),
});

/** Whether another process may take an entry. */
async function isFree(id: string): Promise<boolean> {
  const claim = await postgresJournal(admin).claim(entry(id), {
    token: 'other',
    deadline: entry(id).deadline,
  });
  return claim?.entry !== undefined;
}

test('a time limit of the engine for idle sessions does not end it', async () => {
  const pool = server.pool({ options: '-c idle_session_timeout=300' });
  await postgresJournal(pool).add(entry('idle'));
  await sleep(1_500);
  expect(pool.totalCount).toBe(0);
  expect(await isFree('idle')).toBe(false);
});

test('it is opened and used within any time limit', async () => {
  const journal = postgresJournal(server.pool(), { timeoutMs: Infinity });
  expect(await journal.add(entry('unlimited'))).toBe(true);
});

test.each([
  ['without a name', {}, 'orgchat'],
  ['with a name', { application_name: 'my-worker' }, 'my-worker'],
])('all connections of a pool %s say whose they are', async (what, options, name) => {
  const pool = server.pool(options);
  await postgresJournal(pool).add(entry(what));
  const { rows } = await admin.query(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY 1`,
  );
  const names = rows.map((row: { readonly name: string }) => row.name);
  expect(names).toContain(name);
  expect(names).toContain(`${name} lock`);
  expect(names).not.toContain('');
  await pool.end();
});

test('with a connectionString, it has the other options of its pool too, such as its encryption', async () => {
  const { rows } = await admin.query('SHOW data_directory');
  const { uid, gid } = statSync(dirname(String(rows[0]?.data_directory)));
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const toPath = (name: string): string => join(folder, name);
  const [certificate, secret, access] = [toPath('crt'), toPath('key'), toPath('conf')];
  writeFileSync(certificate, cert);
  writeFileSync(secret, key);
  // Everybody may connect without encryption: nobody would notice.
  writeFileSync(access, 'host all all 127.0.0.1/32 trust\n');
  for (const path of [folder, certificate, secret, access]) chownSync(path, uid, gid);
  chmodSync(secret, 0o600);
  const files = [`ssl_cert_file=${certificate}`, `ssl_key_file=${secret}`, `hba_file=${access}`];
  const encrypted = await startPostgres(['ssl=on', ...files]);
  try {
    const connectionString = `postgres://postgres@127.0.0.1:${encrypted.port}/postgres`;
    const pool = encrypted.pool({
      connectionString,
      ssl: { ca: cert },
      application_name: 'shop',
    });
    await migrate(pool);
    await postgresJournal(pool).add(entry('encrypted'));
    const sessions = await encrypted.pool().query(
      `SELECT DISTINCT application_name AS name, ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
       WHERE application_name LIKE 'shop%' ORDER BY 1`,
    );
    expect(sessions.rows).toEqual([
      { name: 'shop', ssl: true },
      { name: 'shop lock', ssl: true },
    ]);
  } finally {
    await encrypted.stop();
  }
});

test.each(['without a connection', 'with a connection'])('it ends with a pool %s', async (what) => {
  const isEmpty = what === 'without a connection';
  const pool = server.pool({ idleTimeoutMillis: isEmpty ? 20 : 10_000 });
  await postgresJournal(pool).add(entry(what));
  if (isEmpty) await expect.poll(() => pool.totalCount).toBe(0);
  expect(await isFree(what)).toBe(false);
  await pool.end();
  await expect(pool.end()).rejects.toThrow('more than once');
  await expect.poll(() => isFree(what)).toBe(true);
});

test.each(['session', 'transaction'] as const)('behind pgbouncer in %s mode', async (mode) => {
  const bouncer = await startPgbouncer(server.port, mode);
  try {
    const warnings: string[] = [];
    const pool = server.pool({ port: bouncer.port });
    const journal = postgresJournal(pool, {
      timeoutMs: 600,
      onWarning: ({ code }) => void warnings.push(code),
    });
    await expect.poll(() => journal.add(entry(mode))).toBe(true);
    expect(warnings).toEqual(mode === 'session' ? [] : ['LEASE_ONLY']);
    expect(await isFree(mode)).toBe(false);
    await pool.end();
    if (mode === 'session') await expect.poll(() => isFree(mode)).toBe(true);
    else expect(await isFree(mode)).toBe(false);
  } finally {
    await bouncer.stop();
  }
});
