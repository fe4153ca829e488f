import {
  closeSync,
  existsSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/** The part of libsql that is used, so that its types are not needed to read ours. */
interface Database {
  prepare(sql: string): { run(...values: unknown[]): unknown; all(...values: unknown[]): unknown[] };
  exec(sql: string): unknown;
  pragma(text: string): unknown;
  close(): unknown;
}
type DatabaseConstructor = new (path: string) => Database;

/** Why a data file cannot be used; it was left as it is. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
}

/** "orgc": what SQLite keeps in the header of a file to say whose it is. */
const applicationId = 0x6f726763;
const formatVersion = 1;

const headerLength = 100;
const magic = 'SQLite format 3\u0000';
const versionOffset = 60;
const applicationOffset = 68;

/** Files this process has open: reading one again would give up the lock on it. */
const open = new Set<string>();

function loadLibsql(): DatabaseConstructor {
  try {
    return createRequire(import.meta.url)('libsql') as DatabaseConstructor;
  } catch (cause) {
    throw new DataFileError(
      'Keeping data in a file needs the package libsql, which is not installed: npm install libsql. Without a data file everything is kept in memory.',
      { cause },
    );
  }
}

/** Whether a file is new; throws a `DataFileError` where it is somebody else's. Only its header is read. */
function inspect(path: string): 'new' | 'ours' {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts?.isDirectory()) {
    throw new DataFileError(
      `${path} is a directory. Name a file in it, such as ${join(path, 'mock.sqlite')}.`,
    );
  }
  if (facts === undefined || facts.size === 0) return 'new';
  const header = Buffer.alloc(headerLength);
  const descriptor = openSync(path, 'r');
  const length = readSync(descriptor, header, 0, headerLength, 0);
  closeSync(descriptor);
  if (length < headerLength || header.toString('latin1', 0, magic.length) !== magic) {
    throw new DataFileError(
      `${path} is no data file of a mock server. It was left untouched; name another file.`,
    );
  }
  if (header.readUInt32BE(applicationOffset) !== applicationId) {
    throw new DataFileError(
      `${path} is a database of another program. It was left untouched; name another file.`,
    );
  }
  const version = header.readUInt32BE(versionOffset);
  if (version !== formatVersion) {
    throw new DataFileError(
      `${path} has format ${version}, and this mock server knows ${formatVersion}. It was left untouched.`,
    );
  }
  return 'ours';
}

/** Makes the file of a new database: its owner alone may read it, since it has keys in it. */
function create(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    const isFolderMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isFolderMissing ? `there is no directory ${dirname(path)}` : (error as Error).message;
    throw new DataFileError(`${path} cannot be made: ${reason}.`, { cause: error });
  }
}

/** Less free space than this may be too little for one page of each of the files of a database. */
const leastFreeBytes = 64 * 1024;

/** Whether an error comes from a full disk. SQLite calls it an I/O error if it happens outside of a table. */
function isFull(path: string, code: string): boolean {
  if (code.startsWith('SQLITE_FULL')) return true;
  if (!code.startsWith('SQLITE_IOERR')) return false;
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize < leastFreeBytes;
}

function explain(path: string, error: unknown): DataFileError {
  if (error instanceof DataFileError) return error;
  const { code = '', message } = error as { code?: string; message: string };
  if (isFull(path, code)) {
    return new DataFileError(`${path} cannot be written: the disk is full. Free some space and try again.`, {
      cause: error,
    });
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new DataFileError(
      `${path} is in use by another mock server. Stop that one, or name another file.`,
      {
        cause: error,
      },
    );
  }
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB'))
    return damaged(path, message, error);
  return new DataFileError(`${path} cannot be used: ${message}`, { cause: error });
}

export const damaged = (path: string, how: string, cause?: unknown): DataFileError =>
  new DataFileError(
    `${path} is damaged (${how.replace(/\s+/g, ' ')}). It was left untouched; restore a copy of it, or name another file.`,
    { cause },
  );

/**
 * A log of changes in one SQLite file. What `append` returned for survives the end of the process at any instant;
 * the file is locked while it is open.
 */
export class LogFile {
  readonly path: string;
  readonly #database: Database;
  readonly #insert: ReturnType<Database['prepare']>;

  private constructor(path: string, database: Database) {
    this.path = path;
    this.#database = database;
    this.#insert = database.prepare('INSERT INTO log (changes) VALUES (?)');
  }

  /** Opens or makes a file; throws a `DataFileError` where it is foreign, damaged or in use. */
  static open(given: string): LogFile {
    const path = existsSync(given) ? realpathSync(given) : resolve(given);
    if (open.has(path)) throw new DataFileError(`${path} is in use by this very process.`);
    const Libsql = loadLibsql();
    const state = inspect(path);
    const isMade = !existsSync(path);
    let database: Database | undefined;
    try {
      if (state === 'new') create(path);
      database = new Libsql(path);
      if (state === 'ours') check(path, database);
      if (state === 'new') {
        // Written before the log is switched to its own file, so that the header says whose it is from the start.
        database.exec(
          `BEGIN EXCLUSIVE; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${formatVersion}; CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, changes TEXT NOT NULL); COMMIT`,
        );
      }
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = NORMAL');
      // Only a lock that is taken after the log was first read can be given up again; the first write takes it.
      touch(database);
      database.pragma('locking_mode = EXCLUSIVE');
      database.exec('BEGIN IMMEDIATE; COMMIT');
      const file = new LogFile(path, database);
      open.add(path);
      return file;
    } catch (error) {
      database?.close();
      // What this call made is no use to anyone; what was there before is left untouched.
      if (isMade) for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
      throw explain(path, error);
    }
  }

  /** Every batch of changes, in the order they were appended. */
  batches(): string[] {
    const rows = this.#database.prepare('SELECT changes FROM log ORDER BY id').all() as { changes: string }[];
    return rows.map(({ changes }) => changes);
  }

  /** Keeps a batch; when this returns, it survives. Throws a `DataFileError`, and has then kept nothing of it. */
  append(changes: string): void {
    try {
      this.#insert.run(changes);
    } catch (error) {
      throw explain(this.path, error);
    }
  }

  /** Replaces everything by other batches, at once or not at all. Throws a `DataFileError`. */
  rewrite(batches: Iterable<string>): void {
    try {
      this.#database.exec('BEGIN IMMEDIATE; DELETE FROM log');
      for (const changes of batches) this.#insert.run(changes);
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      throw explain(this.path, error);
    }
  }

  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // A full disk ends the transaction by itself.
    }
  }

  close(): void {
    open.delete(this.path);
    try {
      // The driver keeps a closed file open until its statements are collected; the lock must not wait for that.
      this.#database.pragma('locking_mode = NORMAL');
      touch(this.#database);
      this.#database.pragma('journal_mode = DELETE');
    } catch {
      // Without space its log stays beside it, and the next process that opens it reads both.
    } finally {
      this.#database.close();
    }
  }
}

/** Reads, which is when SQLite follows a change of the locking mode. */
const touch = (database: Database): unknown => database.prepare('SELECT max(id) FROM log').all();

/** Reads the whole file once, before anything is written to it. */
function check(path: string, database: Database): void {
  const [found] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
  if (found?.quick_check !== 'ok') throw damaged(path, found?.quick_check ?? 'it cannot be checked');
}
