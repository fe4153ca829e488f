import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FleetError } from '../../fleet-error.ts';
import type { Queryable } from '../pool.ts';

/** What this needs of a PGlite database. */
interface Embedded {
  readonly dataDir?: string | undefined;
  readonly closed?: boolean;
}

/** By PGlite database: whether this process has its directory for itself. */
const owned = new WeakMap<Queryable, Promise<void>>();

/**
 * Rejects if another PGlite database has the same directory open: each of them would overwrite what the other one writes.
 * It is shown by a local socket, which ends with its process, whatever ends that. It does not reach other machines and
 * containers.
 */
export async function requireOwnDirectory(pool: Queryable): Promise<void> {
  const owning = owned.get(pool) ?? own(pool as Embedded);
  owned.set(pool, owning);
  await owning.catch((error: unknown) => {
    // The other one may be closed by the next call.
    owned.delete(pool);
    throw error;
  });
}

async function own(database: Embedded): Promise<void> {
  const directory = findDirectory(database.dataDir);
  if (directory === undefined) return;
  const path = toSocketPath(directory);
  for (let tries = 0; tries < 3; tries++) {
    if (await listen(path, database)) return;
    const answer = await ask(path);
    if (answer === 'open')
      throw new FleetError(
        `The PGlite directory ${directory} is open in another process, or twice in this one. Nothing was read or written. Close the other database, or use Postgres for several processes.`,
        { code: 'STORE_UNAVAILABLE' },
      );
    // Nobody answers: its process has died, and a file of it is left.
    if (answer === 'dead' && !isNameOnly(path)) rmSync(path, { force: true });
  }
}

/** Returns the directory of a database; undefined if it is in memory or elsewhere. */
function findDirectory(dataDir: string | undefined): string | undefined {
  if (dataDir === undefined || /^(?!file:)[a-z]+:\/\//.test(dataDir)) return undefined;
  try {
    return realpathSync(dataDir.replace(/^file:\/\//, ''));
  } catch {
    return undefined;
  }
}

/** Returns the name of a socket that all processes of this machine derive from a directory. */
function toSocketPath(directory: string): string {
  const name = `orgchat-${createHash('sha256').update(directory).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name);
}

/** Whether the name of a socket ends with its process, and is no file. */
const isNameOnly = (path: string): boolean => path.startsWith('\0') || path.startsWith('\\\\');

/** Begins to answer for a database. False if somebody else does. */
function listen(path: string, database: Embedded): Promise<boolean> {
  return new Promise((resolve) => {
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(database.closed === true ? 'closed' : 'open');
      if (database.closed === true) server.close();
    });
    server.once('error', () => resolve(false));
    server.listen(path, () => resolve(true));
    server.unref();
  });
}

/** Asks who answers for a directory whether its database is open. */
function ask(path: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path);
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('error', () => resolve('dead'));
    // One that does not answer is busy, and has it open.
    socket.on('close', () => resolve(text || 'open'));
  });
}
