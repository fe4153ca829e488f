import { matchesWords } from '../../components/search.ts';
import type { RequestEntry } from '../../control-api/types.ts';

export const requestKinds = ['changes', 'errors', 'replayed', 'with a fault'] as const;
export type RequestKind = (typeof requestKinds)[number];

export interface RequestFilter {
  /** Words that must all occur somewhere in the request. */
  readonly search: string;
  readonly kind: RequestKind | '';
  readonly operation: string;
}

const isOfKind: Readonly<Record<RequestKind, (entry: RequestEntry) => boolean>> = {
  changes: ({ operation }) => operation === 'changeChat' || operation === 'addSeoKeywords',
  errors: ({ status }) => status !== null && status >= 400,
  replayed: ({ replayOf }) => replayOf !== null,
  'with a fault': ({ faults }) => faults.length > 0,
};

/** The texts of a request that a search looks into. */
const toSearched = (entry: RequestEntry): readonly unknown[] => [
  entry.requestId,
  entry.method,
  entry.path,
  entry.operation,
  entry.action,
  entry.resource,
  entry.operationId,
  entry.keyName,
  entry.status,
  entry.error,
  entry.recordId,
  ...entry.faults,
];

/** The requests that match, in the given order. */
export function filterRequests(
  entries: readonly RequestEntry[],
  { search, kind, operation }: RequestFilter,
): readonly RequestEntry[] {
  if (search.trim() === '' && kind === '' && operation === '') return entries;
  return entries.filter((entry) => {
    if (kind !== '' && !isOfKind[kind](entry)) return false;
    if (operation !== '' && entry.operation !== operation) return false;
    return search === '' || matchesWords(search, toSearched(entry));
  });
}
