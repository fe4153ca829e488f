import type { SentRequest } from './record.ts';

/** What is known of the keywords of a list from the requests that were sent before. */
export interface Standing {
  readonly added: readonly string[];
  readonly skipped: readonly string[];
  /** Requests that may have been applied, each with those keywords nothing later has answered for. */
  readonly unknown: readonly SentRequest[];
  /** Never sent, or refused when they were. */
  readonly open: readonly string[];
}

const isUnknown = ({ state }: SentRequest): boolean => state === 'unknown' || state === 'sending';

/** The keywords the site is known to have: a request that had them in it was answered. */
function answered(requests: readonly SentRequest[]): ReadonlySet<string> {
  return new Set(requests.filter(({ state }) => state === 'added').flatMap(({ keywords }) => keywords));
}

/**
 * An answer for a keyword is final. Without one, a request that may have been applied keeps it unknown, whatever a
 * later refusal says; only what is neither is open.
 */
export function standingOf(list: readonly string[], requests: readonly SentRequest[]): Standing {
  const wanted = new Set(list);
  const known = answered(requests);
  const only = (keywords: readonly string[]): string[] => keywords.filter((one) => wanted.has(one));
  const unknown = requests
    .filter(isUnknown)
    .map((request) => ({ ...request, keywords: only(request.keywords).filter((one) => !known.has(one)) }))
    .filter(({ keywords }) => keywords.length > 0);
  const held = new Set(unknown.flatMap(({ keywords }) => keywords));
  return {
    added: only(requests.flatMap((request) => request.added)),
    skipped: only(requests.flatMap((request) => request.skipped)),
    unknown,
    open: list.filter((keyword) => !known.has(keyword) && !held.has(keyword)),
  };
}

/** Requests of unknown outcome that no longer matter: each of their keywords was answered for by another. */
export function outlived(requests: readonly SentRequest[]): SentRequest[] {
  const known = answered(requests);
  return requests.filter(
    (request) => isUnknown(request) && request.keywords.every((keyword) => known.has(keyword)),
  );
}
