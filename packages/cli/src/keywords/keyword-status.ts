import type { SentRequest } from './import-record.ts';

/** The keywords of a list by the results of earlier requests. */
export interface KeywordStatus {
  readonly added: readonly string[];
  readonly skipped: readonly string[];
  /** Requests that may have been applied, with the keywords that have no result from another request. */
  readonly unknown: readonly SentRequest[];
  /** Keywords that were never sent, or were refused. */
  readonly open: readonly string[];
}

const isUnknown = ({ state }: SentRequest): boolean => state === 'unknown' || state === 'sending';

/** Keywords with a result: the site has them. */
function getAnsweredKeywords(requests: readonly SentRequest[]): ReadonlySet<string> {
  return new Set(requests.filter(({ state }) => state === 'added').flatMap(({ keywords }) => keywords));
}

/**
 * Finds the status of each keyword. A result is final. Without one, a request that may have been applied keeps the
 * keyword unknown, even if a later request was refused. The others are open.
 */
export function getKeywordStatus(list: readonly string[], requests: readonly SentRequest[]): KeywordStatus {
  const listed = new Set(list);
  const answered = getAnsweredKeywords(requests);
  const only = (keywords: readonly string[]): string[] => keywords.filter((one) => listed.has(one));
  const unknown = requests
    .filter(isUnknown)
    .map((request) => ({ ...request, keywords: only(request.keywords).filter((one) => !answered.has(one)) }))
    .filter(({ keywords }) => keywords.length > 0);
  const unknownKeywords = new Set(unknown.flatMap(({ keywords }) => keywords));
  return {
    added: only(requests.flatMap((request) => request.added)),
    skipped: only(requests.flatMap((request) => request.skipped)),
    unknown,
    open: list.filter((keyword) => !answered.has(keyword) && !unknownKeywords.has(keyword)),
  };
}

/** Requests with an unknown outcome that no longer matter: each of their keywords has a result from another request. */
export function findSuperseded(requests: readonly SentRequest[]): SentRequest[] {
  const answered = getAnsweredKeywords(requests);
  return requests.filter(
    (request) => isUnknown(request) && request.keywords.every((keyword) => answered.has(keyword)),
  );
}
