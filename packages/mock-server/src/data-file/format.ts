import { createHash } from 'node:crypto';

/*
 * The format of a data file. It is a SQLite database in WAL mode with three tables.
 *
 * - `base`: the whole state, in rows of one generation. A new generation is written while the one before still counts.
 * - `log`: one row for each batch of changes since, in order.
 * - `head`: which generation counts, its number of rows, and the first row of the log that counts.
 *
 * Every row begins with a checksum of its place and its text. The ids of a generation and of the log have no gaps. So what
 * is missing or changed is noticed, whatever SQLite says.
 */

/** "orgc": the application id in the header of the SQLite file. */
export const applicationId = 0x6f726763;
export const formatVersion = 2;
/** Added to the version in the header while a server uses the file: what is not in the file is then in its `-wal`. */
export const inUseFlag = 0x10000;

export const schema = `
  CREATE TABLE base (id INTEGER PRIMARY KEY, changes BLOB NOT NULL);
  CREATE TABLE log (id INTEGER PRIMARY KEY, changes BLOB NOT NULL);
  CREATE TABLE head (id INTEGER PRIMARY KEY, changes BLOB NOT NULL)`;

export type TableName = 'base' | 'log' | 'head';

/** Which rows count. */
export interface Head {
  readonly generation: number;
  /** The number of rows of this generation. */
  readonly rows: number;
  /** The id of the first row of the log that counts. */
  readonly first: number;
  /** The id of the last row of the log; undefined while the file is in use. */
  readonly last?: number;
}

/** The ids of a generation begin above this. */
export const toFirstBaseId = (generation: number): number => generation * 2 ** 32;

const sumBytes = 8;

function createSum(table: TableName, id: number, text: Uint8Array): Buffer {
  return createHash('sha256').update(`${table} ${id} `).update(text).digest().subarray(0, sumBytes);
}

/** Encodes the text of a row. */
export function encodeRow(table: TableName, id: number, text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([createSum(table, id, bytes), bytes]);
}

/** Decodes a row; undefined if it is not as it was written. */
export function decodeRow(table: TableName, id: number, row: unknown): string | undefined {
  if (!(row instanceof ArrayBuffer || ArrayBuffer.isView(row))) return undefined;
  const bytes =
    row instanceof ArrayBuffer ? Buffer.from(row) : Buffer.from(row.buffer, row.byteOffset, row.byteLength);
  const text = bytes.subarray(sumBytes);
  if (!createSum(table, id, text).equals(bytes.subarray(0, sumBytes))) return undefined;
  return text.toString();
}
