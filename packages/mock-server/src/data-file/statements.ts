import { createInUseError, type Database } from './database.ts';
import { encodeRow, type Head, type TableName, toFirstBaseId } from './format.ts';
import { type FileContent, readHead } from './read-data-file.ts';

/* What is executed in a data file, as statements and as functions that run several. */

/** A `-wal` file of a larger size is cut after its changes were moved to the main file. */
export const maxIdleWalBytes = 16 * 1024 * 1024;
/** How many rows, and how many pages, one step of a rewrite removes. */
const perStep = 200;

/** Where statements in the background note that they began; in memory only. */
export const stepTable =
  'PRAGMA temp_store = MEMORY; CREATE TEMP TABLE step (number INTEGER); INSERT INTO step VALUES (0)';

/** A statement that inserts a row; its text is in hexadecimal, as only statements without values run in the background. */
export const toInsert = (table: TableName, id: number, text: string, or = ''): string =>
  `INSERT ${or} INTO ${table} (id, changes) VALUES (${id}, x'${encodeRow(table, id, text).toString('hex')}')`;

export const toReplace = (head: Head): string => toInsert('head', 1, JSON.stringify(head), 'OR REPLACE');

/** Statements that remove the rows from an id on, a few at a time. */
export function toSteps(table: TableName, from: number, count: number): string[] {
  return Array.from({ length: Math.ceil(count / perStep) }, (_, n) => {
    const start = from + n * perStep;
    return `DELETE FROM ${table} WHERE id >= ${start} AND id < ${Math.min(start + perStep, from + count)}`;
  });
}

/** Statements that give free pages back to the disk, of as many bytes as were removed. */
export function toShrinkSteps(bytes: number): string[] {
  const pages = Math.ceil(bytes / 4096);
  return Array.from(
    { length: Math.ceil(pages / perStep) + 1 },
    () => `PRAGMA incremental_vacuum(${perStep})`,
  );
}

/** Reads once: SQLite applies a change of the locking mode on the next access. */
export const readOnce = (database: Database): unknown => database.prepare('SELECT max(id) FROM log').all();

/** Removes the rows that a rewrite left that did not end. */
export function removeLeftovers(database: Database, { generation, first }: Head): void {
  const [from, to] = [toFirstBaseId(generation), toFirstBaseId(generation + 1)];
  database.prepare('DELETE FROM base WHERE id < ? OR id >= ?').run(from, to);
  database.prepare('DELETE FROM log WHERE id < ?').run(first);
}

/** Throws if another server changed the file after it was read, and before it was locked. */
export function requireUnchanged(path: string, database: Database, { head, last }: FileContent): void {
  const [row] = database.prepare('SELECT max(id) AS last FROM log').all() as { last: number | null }[];
  const isSame = JSON.stringify(readHead(path, database, 'main')) === JSON.stringify(head);
  if (isSame && (row?.last ?? 0) <= last) return;
  throw createInUseError(path);
}
