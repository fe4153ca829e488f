import type { CodeMeaning } from '../generated/code-meanings.ts';

/** The kind of a call. Reads may be repeated, changes only with the same operationId, keyword writes not at all. */
export type Kind = 'read' | 'change' | 'keywords';

/**
 * What is known of an operation before an attempt. `fresh`: its id was made by this call and nothing of it can have
 * reached the server. `given`: the caller named or derived the id, so it may have been used elsewhere. `ambiguous`:
 * an attempt may have reached the server without a usable answer.
 */
export type History = 'fresh' | 'given' | 'ambiguous';

export type Outcome = 'applied' | 'refused' | 'unknown' | 'abandoned';

export interface Verdict {
  /** The outcome of the operation, if this was the last attempt. A read is `applied` or `refused`. */
  readonly outcome: Outcome;
  /** Whether another attempt is allowed. */
  readonly isRetryable: boolean;
}

const applied: Verdict = { outcome: 'applied', isRetryable: false };
const refused: Verdict = { outcome: 'refused', isRetryable: false };
const refusedForNow: Verdict = { outcome: 'refused', isRetryable: true };
const unknown: Verdict = { outcome: 'unknown', isRetryable: false };
const unknownForNow: Verdict = { outcome: 'unknown', isRetryable: true };
const abandoned: Verdict = { outcome: 'abandoned', isRetryable: false };
const abandonedForNow: Verdict = { outcome: 'abandoned', isRetryable: true };

type Row = Readonly<Record<History, Verdict>>;

/** The answer means the same, whatever happened before. */
function always(verdict: Verdict): Row {
  return { fresh: verdict, given: verdict, ambiguous: verdict };
}

/** The answer is about this attempt, and says nothing about an earlier one. */
function ofThisAttempt(verdict: Verdict, afterAmbiguous = unknown): Row {
  return { fresh: verdict, given: verdict, ambiguous: afterAmbiguous };
}

/** The answer proves something only if nobody else can have used the operation id. */
function ofFreshId(verdict: Verdict): Row {
  return { fresh: verdict, given: unknown, ambiguous: unknown };
}

/**
 * What each answer means for a change. It is refused only if the answer proves it (DECISIONS.md, D84): an answer from
 * past the point where the server recognizes an operationId proves it always, one from before that point only while
 * no attempt was ambiguous, and one of unknown meaning never or only for a fresh id.
 */
const table = {
  ok: always(applied),
  /** 200, but the server neither applied the change nor has a stored result of it. */
  'not-applied': always(refused),
  /** 2xx that is incomplete, is not JSON, or is not what the contract promises. */
  unreadable: always(unknownForNow),
  /** 2xx that is larger than the caller allows. It will be as large again. */
  'too-large': always(unknown),
  /** No answer, and the request may have arrived. */
  lost: always(unknownForNow),
  /** No answer, and the request provably never left. */
  unsent: ofThisAttempt(abandonedForNow, unknownForNow),
  /** Like `unsent`, for a reason that another attempt would meet again. */
  unsendable: ofThisAttempt(abandoned),
  /** Deadline or abort while a request was in progress. */
  interrupted: always(unknown),
  /** Deadline or abort while no request was in progress. */
  stopped: ofThisAttempt(abandoned),
  /** Moved: the request was not processed here. */
  301: ofThisAttempt(refused),
  307: ofThisAttempt(refused),
  308: ofThisAttempt(refused),
  /** Any other redirect; 303 for one is how some servers confirm a POST. */
  '3xx': always(unknown),
  400: ofThisAttempt(refused),
  401: ofThisAttempt(refused),
  403: ofThisAttempt(refused),
  /** A code that is not known, or none: a record, the runtime (D52), or a proxy that knows nothing of the path. */
  404: ofFreshId(refused),
  /** A replay comes before the look-up of the record [6.6], so nothing was applied under this id. */
  '404 notFound': always(refused),
  405: ofThisAttempt(refused),
  408: always(unknownForNow),
  /** A code that is not known, or none: it may say that the operation is uncertain. */
  409: always(unknown),
  /** A replay comes before the comparison of revisions [6.6]. */
  '409 staleRevision': always(refused),
  '409 inputConflict': always(refused),
  /** The server's own word, also on a first attempt: a gateway may have sent the request twice. */
  '409 uncertain': always(unknown),
  413: ofThisAttempt(refused),
  414: ofThisAttempt(refused),
  415: ofThisAttempt(refused),
  429: ofThisAttempt(refusedForNow, unknownForNow),
  '429 quotaExceeded': ofThisAttempt(refused),
  431: ofThisAttempt(refused),
  '4xx': ofFreshId(refused),
  '5xx': always(unknownForNow),
} as const satisfies Record<string, Row>;

/** The kind of an answer: a status, a status with a meaning that decides more, or a word if there is no status. */
export type Answer = `${keyof typeof table}`;

/** Decides the outcome from an answer, the kind of the call and what happened before. */
export function classify(kind: Kind, history: History, answer: Answer): Verdict {
  if (kind === 'keywords') return classifyKeywords(history, answer);
  const verdict = table[answer][history];
  if (kind === 'change' || verdict === applied) return verdict;
  // A read without an answer has failed. It may be repeated if a change may be repeated.
  return verdict.isRetryable ? refusedForNow : refused;
}

/**
 * The server never sees the id of a keyword write, so nothing that arrives later settles an earlier attempt, and an
 * attempt that may have arrived is the last.
 */
function classifyKeywords(history: History, answer: Answer): Verdict {
  const verdict = table[answer][history === 'ambiguous' ? 'ambiguous' : 'fresh'];
  if (verdict === applied) return applied;
  return history === 'ambiguous' || verdict.outcome === 'unknown' ? unknown : verdict;
}

function isAnswer(key: string): key is Answer {
  return Object.hasOwn(table, key);
}

/** The answer of a status that is not 2xx; `meaning` is undefined if the code is not known or there is none. */
export function toAnswer(status: number, meaning?: CodeMeaning): Answer {
  const rest = status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx';
  return [`${status} ${meaning}`, `${status}`].find(isAnswer) ?? rest;
}
