import type { KeywordRequest } from './keyword-requests.ts';

/** What is known of a keyword. */
export type KeywordStatus = 'added' | 'skipped' | 'unknown' | 'refused' | 'notSent';

/** The requests of an import, and what they say about each keyword of its list. */
export interface ImportLedger {
  readonly requests: readonly KeywordRequest[];
  /** How many keywords have each status. */
  readonly counts: Readonly<Record<KeywordStatus, number>>;
  /** Adds a request, or replaces the one with its id. */
  record(request: KeywordRequest): void;
  /** Removes a request that was not sent. */
  remove(operationId: string): void;
  /** Removes unknown requests without an effect. Their keywords are ready to be sent, unless another one has them. */
  removeUnknown(operationIds: readonly string[]): void;
  /** Makes refused keywords ready to be sent again. */
  forgetRefusals(): void;
  /**
   * Removes and returns the unknown requests whose keywords all have an answer from another request. One that was answered in
   * part stays with what its answer named.
   */
  takeSuperseded(): KeywordRequest[];
  getStatus(keyword: string): KeywordStatus | undefined;
  /** Returns the keywords with a status. Those with an answer are in the order in which it came. */
  select(...statuses: readonly KeywordStatus[]): string[];
}

/**
 * A keyword with an answer keeps it: the site has the keyword. Without one, a request that may have been applied keeps
 * the keyword unknown, even if a later request with it was refused.
 */
const ranks: Readonly<Record<KeywordStatus, number>> = {
  notSent: 0,
  refused: 1,
  unknown: 2,
  skipped: 3,
  added: 3,
};

const isAnswer = (status: KeywordStatus | undefined): boolean => status === 'added' || status === 'skipped';

export function createImportLedger(
  keywords: readonly string[],
  earlier: readonly KeywordRequest[],
): ImportLedger {
  const statuses = new Map<string, KeywordStatus>(keywords.map((keyword) => [keyword, 'notSent']));
  const counts = { added: 0, skipped: 0, unknown: 0, refused: 0, notSent: keywords.length };
  /** By operation id. */
  const requests = new Map<string, KeywordRequest>();
  const unknown = new Map<string, KeywordRequest>();
  /** Keywords with an answer, also of other lists. */
  const answered = new Set<string>();

  function raise(keyword: string, status: KeywordStatus): void {
    const before = statuses.get(keyword);
    // Keywords of another list are not reported.
    if (before === undefined || ranks[status] <= ranks[before]) return;
    counts[before]--;
    counts[status]++;
    statuses.set(keyword, status);
  }

  function reset(keyword: string): void {
    counts[statuses.get(keyword) ?? 'notSent']--;
    counts.notSent++;
    statuses.set(keyword, 'notSent');
  }

  /** Ends an unknown request. What its answer named stays. */
  function endUnknown(request: KeywordRequest): void {
    const { operationId, added, skipped } = request;
    const keywords = [...added, ...skipped];
    unknown.delete(operationId);
    if (keywords.length === 0) requests.delete(operationId);
    else requests.set(operationId, { ...request, keywords, state: 'added', error: undefined });
  }

  function record(request: KeywordRequest): void {
    const { operationId, state, added, skipped } = request;
    requests.set(operationId, request);
    if (state === 'unknown') unknown.set(operationId, request);
    else unknown.delete(operationId);
    for (const keyword of added) raise(keyword, 'added');
    for (const keyword of skipped) raise(keyword, 'skipped');
    for (const keyword of [...added, ...skipped]) answered.add(keyword);
    if (state === 'refused' || state === 'unknown') {
      for (const keyword of request.keywords) raise(keyword, state);
    }
  }

  for (const request of earlier) record(request);
  return {
    get requests() {
      return [...requests.values()];
    },
    counts,
    record,
    remove: (operationId) => void requests.delete(operationId),
    removeUnknown(operationIds) {
      const ended = operationIds.flatMap((operationId) => unknown.get(operationId) ?? []);
      const removed = ended.flatMap(({ keywords }) => keywords);
      for (const request of ended) endUnknown(request);
      const remaining = new Set([...unknown.values()].flatMap((request) => request.keywords));
      for (const keyword of removed) {
        if (statuses.get(keyword) === 'unknown' && !remaining.has(keyword)) reset(keyword);
      }
    },
    forgetRefusals() {
      for (const [operationId, { state }] of requests) if (state === 'refused') requests.delete(operationId);
      for (const [keyword, status] of statuses) if (status === 'refused') reset(keyword);
    },
    takeSuperseded() {
      const superseded = [...unknown.values()].filter(({ keywords }) =>
        keywords.every((keyword) => answered.has(keyword)),
      );
      for (const request of superseded) endUnknown(request);
      return superseded.filter(({ operationId }) => !requests.has(operationId));
    },
    getStatus: (keyword) => statuses.get(keyword),
    select(...wanted) {
      const hasStatus = (keyword: string): boolean => {
        const status = statuses.get(keyword);
        return status !== undefined && wanted.includes(status);
      };
      if (!wanted.every(isAnswer)) return [...statuses.keys()].filter(hasStatus);
      const inOrder = [...requests.values()].flatMap((request) => [...request.added, ...request.skipped]);
      return [...new Set(inOrder)].filter(hasStatus);
    },
  };
}
