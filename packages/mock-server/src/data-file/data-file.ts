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

/** The part of libsql that is used, so that the types of this package do not depend on it. */
interface Database {
  prepare(sql: string): { run(...values: unknown[]): unknown; all(...values: unknown[]): unknown[] };
  exec(sql: string): unknown;
  pragma(text: string): unknown;
  close(): unknown;
}
type DatabaseConstructor = new (path: string) => Database;

/** Thrown if a data file cannot be used. The file was not modified. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
}

/** "orgc": the application id in the header of the SQLite file. */
const applicationId = 0x6f726763;
const formatVersion = 1;

const headerLength = 100;
const magic = 'SQLite format 3\u0000';
const versionOffset = 60;
const applicationOffset = 68;

/** Paths of the files that this process has open. Opening a file a second time would release its lock. */
const openPaths = new Set<string>();

function loadLibsql(): DatabaseConstructor {
  try {
    return createRequire(import.meta.url)('libsql') as DatabaseConstructor;
  } catch (cause) {
    throw new DataFileError(
      'A data file requires the package libsql, which is not installed. Run: npm install libsql. Without a data file, everything is kept in memory.',
      { cause },
    );
  }
}

/** Whether a file is new; throws a `DataFileError` if another program made it. Reads only the header. */
function inspect(path: string): 'new' | 'ours' {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    throw new DataFileError(
      `${path} is a directory. Choose a file in it, such as ${join(path, 'mock.sqlite')}.`,
    );
  }
  if (stats === undefined || stats.size === 0) return 'new';
  const header = Buffer.alloc(headerLength);
  const descriptor = openSync(path, 'r');
  const length = readSync(descriptor, header, 0, headerLength, 0);
  closeSync(descriptor);
  if (length < headerLength || header.toString('latin1', 0, magic.length) !== magic) {
    throw new DataFileError(
      `${path} is not a mock server data file. It was not modified; choose another file.`,
    );
  }
  if (header.readUInt32BE(applicationOffset) !== applicationId) {
    throw new DataFileError(
      `${path} is a database of another program. It was not modified; choose another file.`,
    );
  }
  const version = header.readUInt32BE(versionOffset);
  if (version !== formatVersion) {
    throw new DataFileError(
      `${path} has format ${version}, but this mock server supports format ${formatVersion}. It was not modified; choose another file.`,
    );
  }
  return 'ours';
}

/** Creates the file of a new database. Only its owner may read it, since it contains API keys. */
function create(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    const isFolderMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isFolderMissing
      ? `the directory ${dirname(path)} does not exist`
      : (error as Error).message;
    throw new DataFileError(`${path} cannot be created: ${reason}.`, { cause: error });
  }
}

/** With less free space than this, one page of each database file may not fit. */
const minimumFreeBytes = 64 * 1024;

/** Whether an error comes from a full disk. Outside of a table, SQLite reports an I/O error. */
function isFull(path: string, code: string): boolean {
  if (code.startsWith('SQLITE_FULL')) return true;
  if (!code.startsWith('SQLITE_IOERR')) return false;
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize < minimumFreeBytes;
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
      `${path} is in use by another mock server. Stop that server, or choose another file.`,
      {
        cause: error,
      },
    );
  }
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB'))
    return createDamagedError(path, message, error);
  return new DataFileError(`${path} cannot be used: ${message}`, { cause: error });
}

/** Creates the error for a file whose content is not valid. */
export const createDamagedError = (path: string, reason: string, cause?: unknown): DataFileError =>
  new DataFileError(
    `${path} is damaged (${reason.replace(/\s+/g, ' ')}). It was not modified; restore a backup, or choose another file.`,
    { cause },
  );

/**
 * A log of changes in one SQLite file. Once `append` returns, the changes survive a crash of the process at any moment.
 * The file is locked while it is open.
 */
export class DataFile {
  readonly path: string;
  readonly #database: Database;
  readonly #insert: ReturnType<Database['prepare']>;

  private constructor(path: string, database: Database) {
    this.path = path;
    this.#database = database;
    this.#insert = database.prepare('INSERT INTO log (changes) VALUES (?)');
  }

  /** Opens or creates a file; throws a `DataFileError` if it is foreign, damaged or in use. */
  static open(given: string): DataFile {
    const path = existsSync(given) ? realpathSync(given) : resolve(given);
    if (openPaths.has(path)) throw new DataFileError(`${path} is already in use by this process.`);
    const Libsql = loadLibsql();
    const state = inspect(path);
    const isCreated = !existsSync(path);
    let database: Database | undefined;
    try {
      if (state === 'new') create(path);
      database = new Libsql(path);
      if (state === 'ours') check(path, database);
      if (state === 'new') {
        // Written before WAL mode is enabled, so that the header has the application id from the start.
        database.exec(
          `BEGIN EXCLUSIVE; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${formatVersion}; CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, changes TEXT NOT NULL); COMMIT`,
        );
      }
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = NORMAL');
      // Only a lock taken after the first read can be released again; the first write takes it.
      readOnce(database);
      database.pragma('locking_mode = EXCLUSIVE');
      database.exec('BEGIN IMMEDIATE; COMMIT');
      const file = new DataFile(path, database);
      openPaths.add(path);
      return file;
    } catch (error) {
      database?.close();
      // Remove what this call created; a file that existed before is not modified.
      if (isCreated) for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
      throw explain(path, error);
    }
  }

  /** Every batch of changes, in the order they were appended. */
  batches(): string[] {
    const rows = this.#database.prepare('SELECT changes FROM log ORDER BY id').all() as { changes: string }[];
    return rows.map(({ changes }) => changes);
  }

  /** Appends a batch, which survives a crash once this returns. Throws a `DataFileError` and stores nothing if that fails. */
  append(changes: string): void {
    try {
      this.#insert.run(changes);
    } catch (error) {
      throw explain(this.path, error);
    }
  }

  /** Replaces all batches, entirely or not at all. Throws a `DataFileError`. */
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
    openPaths.delete(this.path);
    try {
      // The driver keeps a closed file open until its statements are collected; the lock must not wait for that.
      this.#database.pragma('locking_mode = NORMAL');
      readOnce(this.#database);
      this.#database.pragma('journal_mode = DELETE');
    } catch {
      // Without free space, the WAL file remains, and the next process that opens the database reads both.
    } finally {
      this.#database.close();
    }
  }
}

/** Reads once: SQLite applies a change of the locking mode on the next access. */
const readOnce = (database: Database): unknown => database.prepare('SELECT max(id) FROM log').all();

/** Reads the whole file once, before anything is written to it. */
function check(path: string, database: Database): void {
  const [found] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
  if (found?.quick_check !== 'ok')
    throw createDamagedError(path, found?.quick_check ?? 'its integrity check failed');
}
