import { statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { DataFileError } from './data-file-error.ts';

/** The part of libsql that is used, so that the types of this package do not depend on it. */
export interface Database {
  prepare(sql: string): Statement;
  exec(sql: string): unknown;
  pragma(text: string): unknown;
  close(): unknown;
}
export interface Statement {
  run(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}
interface Driver {
  readonly Database: new (path: string) => Database;
  /** Runs a statement on another thread: a slow disk then holds up nothing else. */
  readonly execInBackground: (database: Database, sql: string) => Promise<unknown>;
}

export function loadDriver(): Driver {
  const require = createRequire(import.meta.url);
  try {
    const Database = require('libsql') as Driver['Database'];
    // Both kinds of database of libsql are the same connection, and only this one has an `exec` that does not block.
    const { exec } = (require('libsql/promise') as { prototype: { exec(sql: string): Promise<unknown> } })
      .prototype;
    return { Database, execInBackground: async (database, sql) => exec.call(database, sql) };
  } catch (cause) {
    throw new DataFileError(
      'A data file requires the package libsql, which is not installed. Run: npm install libsql. Without a data file, everything is kept in memory.',
      { cause },
    );
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

/** Converts an error of the driver. */
export function toDataFileError(path: string, error: unknown): DataFileError {
  if (error instanceof DataFileError) return error;
  const { code = '', message } = error as { code?: string; message: string };
  if (isFull(path, code)) {
    return new DataFileError(`${path} cannot be written: the disk is full. Free some space and try again.`, {
      cause: error,
    });
  }
  if (code.startsWith('SQLITE_BUSY')) return createInUseError(path, error);
  return new DataFileError(`${path} cannot be used: ${message}`, { cause: error });
}

/** Thrown if another server has a data file open. */
class FileInUseError extends DataFileError {}

export const isInUse = (error: unknown): boolean => error instanceof FileInUseError;

export const createInUseError = (path: string, cause?: unknown): DataFileError =>
  new FileInUseError(`${path} is in use by another mock server. Stop that server, or choose another file.`, {
    cause,
  });

/** Creates the error for files that lack something, before they are modified. */
export const createDamagedError = (path: string, reason: string, cause?: unknown): DataFileError =>
  new DamagedFileError(`${path} is damaged: ${reason.replace(/\s+/g, ' ')}`, cause);

/** Thrown if something is missing in a data file that can be accepted as lost. */
export class DamagedFileError extends DataFileError {
  /** What is damaged, without advice. */
  readonly reason: string;

  constructor(reason: string, cause: unknown) {
    super(
      `${reason}. It was not modified. Restore a backup, choose another file, or accept the loss with --data-accept-loss (dataAcceptLoss of createMock), which keeps the damaged files beside it.`,
      { cause },
    );
    this.reason = reason;
  }
}
