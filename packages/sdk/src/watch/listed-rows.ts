import { pageSize } from '../generated/limits.ts';
import type { CallOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import { createUndescribedError, createUnexpectedShapeError } from '../shapes/shape-errors.ts';
import type { ReadQuery } from '../types/read-query.ts';
import type { RecordPage } from '../types.ts';
import { isObject } from '../values.ts';
import { sha256 } from '../write/digest.ts';

/** A row of a list. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of a list, newest first, with the time of each in milliseconds. */
export interface ListedRows {
  readonly resource: string;
  readonly rows: readonly Row[];
  readonly times: readonly number[];
  /** Whether the times are those of the field that the decisions name, so that they are what their name says. */
  readonly hasUsualTimes: boolean;
  /** Whether older records exist that the list does not show. */
  readonly isCut: boolean;
  readonly answer: ApiResponse<unknown>;
}

/** The time of a record, by the decisions (D48). */
const usualFields: Readonly<Record<string, string>> = {
  conversations: 'lastMessageAt',
  messages: 'sentAt',
  'form-submissions': 'submittedAt',
  'link-clicks': 'clickedAt',
};

/** A short digest of a text that identifies it. */
export const toShortDigest = (text: string): string => sha256(text).slice(0, 16);

/**
 * Returns when an answer was made, in milliseconds: its `Date`, or the clock of this machine if it has none.
 */
export function getServerTime({ headers }: ApiResponse<unknown>): number {
  const sentAt = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(sentAt) ? Date.now() : sentAt;
}

const parseTime = (value: unknown): number =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(value) ? Date.parse(value) : Number.NaN;

const descends = (times: readonly number[]): boolean =>
  times.every((time, index) => index === 0 || time <= (times[index - 1] ?? time));

/** Finds the times of rows: those of the usual field, or of another field by which the newest row comes first. */
function findTimes(
  resource: string,
  rows: readonly Row[],
): { times: readonly number[]; hasUsualTimes: boolean } {
  const usual = usualFields[resource] ?? '';
  const readField = (name: string): readonly number[] => rows.map((row) => parseTime(row[name]));
  const times = readField(usual);
  if (!times.some(Number.isNaN)) return { times, hasUsualTimes: true };
  const others = Object.keys(rows[0] ?? {})
    .map(readField)
    .filter((found) => !found.some(Number.isNaN));
  return { times: others.find(descends) ?? others[0] ?? times, hasUsualTimes: false };
}

/** Whether records exist that a page does not show: it says so, or it says nothing and is full. */
export function isCutPage(
  { records, total, limited }: RecordPage<unknown>,
  { pageSize: described = pageSize }: ChatApi['shapes'],
): boolean {
  const isFull =
    limited === undefined && total === undefined && records.length >= Math.min(pageSize, described);
  return limited === true || (total !== undefined && total > records.length) || isFull;
}

/** Reads a list. Rejects with `UNEXPECTED_SHAPE` if a row has no time. */
export async function readListedRows(
  { read, shapes }: Pick<ChatApi, 'read' | 'shapes'>,
  query: ReadQuery,
  options: CallOptions,
): Promise<ListedRows> {
  const { resource } = query;
  const answer: ApiResponse<RecordPage<Row>> = shapes.toPage(resource, await read(query, options), 'any');
  const { records: rows } = answer.data;
  const { times, hasUsualTimes } = findTimes(resource, rows);
  const timeless = times.findIndex(Number.isNaN);
  if (timeless >= 0) {
    const why = `Row ${timeless} of the list of ${resource} has no date and time in the field ${usualFields[resource]}, nor has every row another field with one. watch() needs the times of records.`;
    throw createUnexpectedShapeError('readChat', resource, answer, why);
  }
  return { resource, rows, times, hasUsualTimes, isCut: isCutPage(answer.data, shapes), answer };
}

/** What is known of a list before its order is judged. */
interface KnownOrder {
  /** Whether the row was there in an earlier round, as it is now. */
  isHandled(index: number): boolean;
  /** When the earlier round was, in milliseconds. */
  readonly earlierAt: number;
}

/**
 * Throws `UNEXPECTED_SHAPE` if the newest row does not come first. Rows that are new show it by their place: they are all below
 * those that were there before. In a list that was never read, most times rise. Single times prove nothing, because the clock
 * of the server may have been set back.
 */
export function requireNewestFirst(
  { resource, rows, times, isCut, answer }: ListedRows,
  { isHandled, earlierAt }: KnownOrder,
): void {
  const indices = [...rows.keys()];
  const handled = indices.filter(isHandled);
  const [firstHandled = 0, lastHandled = 0] = [handled[0], handled.at(-1)];
  const timeAt = (index: number): number => times[index] ?? 0;
  const isLate = (index: number): boolean =>
    index > lastHandled && timeAt(index) > Math.max(timeAt(lastHandled), earlierAt);
  const rises = indices.filter((index) => index > 0 && timeAt(index) > timeAt(index - 1)).length;
  const falls = indices.filter((index) => index > 0 && timeAt(index) < timeAt(index - 1)).length;
  const isWrong =
    handled.length > 0
      ? firstHandled === 0 && indices.some(isLate)
      : rises > falls && (isCut || rows.length > 2);
  if (!isWrong) return;
  const why = `The list of ${resource} does not begin with the newest record. watch() needs lists that do.`;
  throw createUndescribedError(resource, answer, why, 'shapes.list.order');
}

/** Returns the friend that a record names; undefined if it names none. */
export function findFriend(record: unknown): { accountId: string; userId: string } | undefined {
  const { accountId, userId } = isObject(record) ? record : {};
  return typeof accountId === 'string' && typeof userId === 'string' ? { accountId, userId } : undefined;
}
