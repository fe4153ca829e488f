import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findWalDamage } from './check-wal.ts';
import { DataFileError } from './data-file-error.ts';
import {
  createDamagedError,
  DamagedFileError,
  type Database,
  isInUse,
  loadDriver,
  toDataFileError,
} from './database.ts';
import {
  applicationId,
  decodeRow,
  formatVersion,
  type Head,
  inUseFlag,
  schema,
  toFirstBaseId,
} from './format.ts';

/** What is in a data file besides its batches. */
export interface FileContent {
  readonly head: Head;
  /** The id of the last row of the log. */
  readonly last: number;
  /** The size of the texts of the rows that count, in bytes. */
  readonly baseBytes: number;
  readonly logBytes: number;
}

const headerLength = 100;
const pageLength = 4096;
const magic = 'SQLite format 3\u0000';
const versionOffset = 60;
const applicationOffset = 68;
const walHeaderLength = 32;

/** How many rows are read at once. */
const rowsPerRead = 200;

/**
 * Reads the batches of a data file in order, and calls `add` with each. Undefined if the file is new. Throws a
 * `DataFileError` if the file is foreign, in use, or lacks something. Nothing is modified.
 */
export function readDataFile(path: string, add: (batch: string) => void): FileContent | undefined {
  try {
    if (inspect(path) === 'new') return undefined;
    const damage = findWalDamage(`${path}-wal`);
    if (damage !== undefined) throw createDamagedError(path, damage);
  } catch (error) {
    // The files of a server that is writing them look damaged for a moment.
    if (error instanceof DamagedFileError && sizeOf(`${path}-wal`) > 0) requireUnlocked(path);
    throw error;
  }
  return withReadOnly(path, (database) => {
    const [found] = database.prepare('PRAGMA data.quick_check(1)').all() as { quick_check: string }[];
    if (found?.quick_check !== 'ok')
      throw createDamagedError(path, found?.quick_check ?? 'its integrity check failed');
    return readRows(path, database, add);
  });
}

/** Throws if another server has a file open. */
function requireUnlocked(path: string): void {
  if (sizeOf(path) === 0) return;
  try {
    withReadOnly(path, (database) => database.prepare('SELECT 1 FROM data.head').all());
  } catch (error) {
    if (isInUse(error)) throw error;
  }
}

/** Reads as many batches as there are without a gap, and stops at the first one that cannot be read. */
export function readUndamaged(path: string, add: (batch: string) => void): void {
  // SQLite removes the -wal file of an empty one.
  if (sizeOf(path) === 0) return;
  try {
    withReadOnly(path, (database) => readRows(path, database, add));
  } catch (error) {
    if (error instanceof DamagedFileError) return;
    throw error;
  }
}

function readRows(path: string, database: Database, add: (batch: string) => void): FileContent {
  const head = readHead(path, database, 'data');
  const bytes = { base: 0, log: 0 };
  let last = 0;
  function readTable(table: 'base' | 'log', first: number, end: number, unit: string): void {
    const select = database.prepare(
      `SELECT id, changes FROM data.${table} WHERE id >= ? AND id < ? ORDER BY id LIMIT ${rowsPerRead}`,
    );
    let next = first;
    for (;;) {
      const rows = select.all(next, end) as { id: number; changes: unknown }[];
      for (const { id, changes } of rows) {
        if (id !== next) throw createDamagedError(path, `${unit} ${next} is missing`);
        const text = decodeRow(table, id, changes);
        if (text === undefined) throw createDamagedError(path, `${unit} ${id} is not as it was written`);
        bytes[table] += text.length;
        add(text);
        next++;
      }
      if (rows.length < rowsPerRead) break;
    }
    last = next - 1;
  }
  const base = toFirstBaseId(head.generation);
  readTable('base', base, base + head.rows, 'row');
  if (last !== base + head.rows - 1) throw createDamagedError(path, `row ${last + 1} is missing`);
  readTable('log', head.first, Number.MAX_SAFE_INTEGER, 'batch');
  if (head.last !== undefined && head.last !== last)
    throw createDamagedError(path, `it ends at batch ${last}, but ${head.last} were written`);
  return { head, last, baseBytes: bytes.base, logBytes: bytes.log };
}

/** Reads the only row of the table `head`. */
export function readHead(path: string, database: Database, name: 'main' | 'data'): Head {
  const rows = database.prepare(`SELECT id, changes FROM ${name}.head`).all() as {
    id: number;
    changes: unknown;
  }[];
  const [row] = rows;
  const text = row && decodeRow('head', row.id, row.changes);
  if (text === undefined || rows.length > 1)
    throw createDamagedError(path, 'the row that says which others count is not as it was written');
  return JSON.parse(text) as Head;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Whether a file is new; throws if another program made it, or something is missing. Reads only its first page. */
function inspect(path: string): 'new' | 'ours' {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    throw new DataFileError(
      `${path} is a directory. Choose a file in it, such as ${join(path, 'mock.sqlite')}.`,
    );
  }
  const walSize = sizeOf(`${path}-wal`);
  if (stats === undefined || stats.size === 0) {
    if (walSize > walHeaderLength)
      throw createDamagedError(path, `the file is ${stats ? 'empty' : 'missing'}, but its -wal file is not`);
    return 'new';
  }
  const page = Buffer.alloc(pageLength);
  const descriptor = openSync(path, 'r');
  const length = readSync(descriptor, page, 0, pageLength, 0);
  closeSync(descriptor);
  if (length < headerLength || page.toString('latin1', 0, magic.length) !== magic) {
    throw new DataFileError(
      `${path} is not a mock server data file. It was not modified; choose another file.`,
    );
  }
  if (page.readUInt32BE(applicationOffset) !== applicationId) {
    throw new DataFileError(
      `${path} is a database of another program. It was not modified; choose another file.`,
    );
  }
  const version = page.readUInt32BE(versionOffset);
  if ((version & ~inUseFlag) !== formatVersion) {
    throw new DataFileError(
      `${path} has format ${version & ~inUseFlag}, but this mock server supports format ${formatVersion}. It was not modified; choose another file.`,
    );
  }
  // The driver ends the process if it is to show a text that is not UTF-8.
  const hasTables = schema.split(';').every((statement) => page.includes(statement.trim()));
  if (!hasTables) throw createDamagedError(path, 'its tables are not as they were created');
  if ((version & inUseFlag) !== 0 && walSize <= walHeaderLength)
    throw createDamagedError(
      path,
      `its server ended without closing it, and its -wal file is ${existsSync(`${path}-wal`) ? 'empty' : 'missing'}, which has the last changes`,
    );
  return 'ours';
}

function detach(database: Database | undefined): void {
  try {
    database?.exec('DETACH data');
  } catch {
    // It could not be attached.
  }
}

/**
 * Opens a file in a way in which nothing can be modified, as the database "data" of a connection. The driver closes a
 * connection only when its statements are collected, and another database of it at once.
 */
function withReadOnly<T>(path: string, work: (database: Database) => T): T {
  const { Database } = loadDriver();
  const created = ['-wal', '-shm'].filter((suffix) => !existsSync(`${path}${suffix}`));
  let database: Database | undefined;
  try {
    database = new Database(':memory:');
    database.prepare('ATTACH ? AS data').run(`${pathToFileURL(path).href}?mode=ro`);
    return work(database);
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    if (error instanceof DataFileError || /^SQLITE_(BUSY|IOERR|CANTOPEN|PERM|FULL)/.test(code))
      throw toDataFileError(path, error);
    throw createDamagedError(path, message, error);
  } finally {
    detach(database);
    database?.close();
    for (const suffix of created) rmSync(`${path}${suffix}`, { force: true });
  }
}
