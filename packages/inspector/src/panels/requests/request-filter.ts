import { hasWords } from '../../components/search.ts';
import type { RequestEntry } from '../../control-api/types.ts';
import { describeAnswer, describeOutcomes, describeReason, isChange, isInProgress } from './request-words.ts';

export const requestKinds = ['changes', 'errors', 'no answer', 'replayed', 'with a fault'] as const;
export type RequestKind = (typeof requestKinds)[number];

export interface RequestFilter {
  /** Words that must all occur somewhere in the request. */
  readonly search: string;
  readonly kind: RequestKind | '';
  readonly operation: string;
}

const isOfKind: Readonly<Record<RequestKind, (entry: RequestEntry) => boolean>> = {
  changes: isChange,
  errors: ({ status }) => status !== null && status >= 400,
  'no answer': (entry) => !entry.answered && !isInProgress(entry),
  replayed: ({ replayOf }) => replayOf !== null,
  'with a fault': ({ faults }) => faults.length > 0,
};

/** The texts of a request that a search looks into, in lower case. An entry never changes: a later state is another one. */
const searched = new WeakMap<RequestEntry, string>();

function toSearched(entry: RequestEntry): string {
  const known = searched.get(entry);
  if (known !== undefined) return known;
  const text = [
    entry.requestId,
    entry.method,
    entry.path,
    entry.operation,
    entry.action,
    entry.resource,
    entry.operationId,
    entry.keyName,
    entry.status,
    entry.recordId,
    entry.recordName,
    describeAnswer(entry).word,
    ...describeOutcomes(entry).map(({ word }) => word),
    describeReason(entry),
  ]
    .join(' ')
    .toLowerCase();
  searched.set(entry, text);
  return text;
}

/** Whether the page itself has all words of a search in the entry of a request. */
export const isInEntry = (entry: RequestEntry, search: string): boolean =>
  hasWords(search, toSearched(entry));

/** The requests that match, in the given order. `found` are those in which the mock found the words of the search. */
export function filterRequests(
  entries: readonly RequestEntry[],
  { search, kind, operation }: RequestFilter,
  found: ReadonlySet<number> = new Set(),
): readonly RequestEntry[] {
  const isSearched = search.trim() !== '';
  if (!isSearched && kind === '' && operation === '') return entries;
  return entries.filter((entry) => {
    if (kind !== '' && !isOfKind[kind](entry)) return false;
    if (operation !== '' && entry.operation !== operation) return false;
    return !isSearched || found.has(entry.id) || isInEntry(entry, search);
  });
}
