import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../free-port.ts';
import { createData } from './postgres-data.ts';

/** A Postgres of its own: on a free loopback port, with its data in a temporary folder. */
export interface PostgresServer {
  readonly port: number;
  /** Creates a pool, which `stop` ends. It connects to `port`, which may be that of a proxy. */
  pool(options?: pg.PoolConfig): pg.Pool;
  /** Ends the engine: by SIGKILL, all its processes die at once. */
  kill(signal: 'SIGKILL' | 'SIGINT'): Promise<void>;
  /** Starts it again, on the same port and data. */
  start(): Promise<void>;
  /** Ends pools and engine, and removes the data. */
  stop(): Promise<void>;
}

/** Returns the folder of the newest installed engine's programs. */
function findPrograms(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  if (versions[0] === undefined) throw new Error('Postgres is not installed: apt-get install postgresql');
  return join(root, versions[0], 'bin');
}

/** Postgres refuses to run as root, so root starts it as the user of the package. */
function getUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * Starts an engine with these settings. `standbyOf` is the port of a primary: then it is a standby that follows it, and
 * can only be read.
 */
export async function startPostgres(
  settings: readonly string[] = [],
  { standbyOf }: { readonly standbyOf?: number } = {},
): Promise<PostgresServer> {
  const programs = findPrograms();
  const user = getUser();
  const folder = mkdtempSync(join(tmpdir(), 'pg-'));
  chmodSync(folder, 0o700);
  if (user.uid !== undefined && user.gid !== undefined) {
    chownSync(folder, user.uid, user.gid);
    // The folder of the test run is closed to other users.
    chmodSync(tmpdir(), statSync(tmpdir()).mode | 0o011);
  }
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder };
  if (standbyOf === undefined) createData(programs, data, user);
  else {
    const primary = ['-h', '127.0.0.1', '-p', `${standbyOf}`, '-U', 'postgres'];
    const copy = ['-D', data, ...primary, '-R', '--no-sync', '--checkpoint=fast'];
    execFileSync(join(programs, 'pg_basebackup'), copy, { ...options, stdio: 'ignore' });
  }
  // Everybody is trusted but the user of the tests with passwords.
  const trusted = ['all', 'replication'].map((database) => `host ${database} all 127.0.0.1/32 trust\n`);
  writeFileSync(
    join(data, 'pg_hba.conf'),
    `host all expiring 127.0.0.1/32 scram-sha-256\n${trusted.join('')}`,
  );
  const port = await findFreePort();
  const pools: pg.Pool[] = [];
  let engine: ChildProcess | undefined;

  async function start(): Promise<void> {
    const given = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      ...settings,
    ];
    const args = ['-D', data, ...given.flatMap((setting) => ['-c', setting])];
    for (let tries = 0; tries < 300; tries++) {
      // After a kill it refuses to start until the last process of the one before has ended.
      if (engine === undefined || engine.exitCode !== null || engine.signalCode !== null) {
        engine = spawn(join(programs, 'postgres'), args, { ...options, stdio: 'ignore' });
      }
      const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return;
      } catch {
        await sleep(50);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
    throw new Error('Postgres did not start');
  }

  async function kill(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    const ended = new Promise((resolve) => engine?.once('exit', resolve));
    if (engine?.exitCode !== null || !engine.kill(signal)) return;
    await ended;
  }

  await start();
  return {
    port,
    pool(more) {
      const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres', ...more });
      // An idle connection that breaks must not end the test run.
      pool.on('error', () => undefined);
      pools.push(pool);
      return pool;
    },
    kill,
    start,
    async stop() {
      await Promise.all(pools.map((pool) => pool.end().catch(() => undefined)));
      await kill('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
