import { isObject } from '@orgchat/spec/is-object';
import type { RequestDetail, RequestList } from '../../control-api/types.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Reads a path of the control API. */
type Read = <T>(path: string) => Promise<T>;

/** How many of the newest entries with a revision are looked through, and how many answers of them are read. */
const mostEntries = 200;
const mostAnswers = 20;

/**
 * Finds the record as it was before a change, in the newest answers that the log has: the mock finds those with its
 * revision. Undefined if none of them is whole.
 */
export async function findBefore(
  { id, revisionBefore }: Pick<RequestDetail, 'id' | 'revisionBefore'>,
  read: Read,
): Promise<Fields | undefined> {
  if (revisionBefore === null) return undefined;
  const query = new URLSearchParams({ search: revisionBefore, last: String(mostEntries) });
  const { requests } = await read<RequestList>(`requests?${query}`);
  // Refused changes have the revision only in what they sent.
  const shown = requests.filter((entry) => entry.id !== id && entry.status !== null && entry.status < 300);
  for (const entry of shown.slice(-mostAnswers).toReversed()) {
    const { response } = await read<RequestDetail>(`requests/${entry.id}`);
    const found = findRecord(response?.body, revisionBefore);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Finds the record with a revision in an answer: the result of a change, one record, or one of a list. */
function findRecord(body: unknown, revision: string): Fields | undefined {
  if (!isObject(body)) return undefined;
  const records = [body.result, body.record, ...(Array.isArray(body.records) ? body.records : [])];
  return records.filter(isObject).find((record) => record.revision === revision);
}
