import type { CodeMeaning } from '../generated/code-meanings.ts';

/** The kind of a call. Reads may be repeated, changes only with the same operationId, keyword writes not at all. */
export type Kind = 'read' | 'change' | 'keywords';

/**
 * What is known of an operation before an attempt.
 *
 * - `fresh`: this call made its id, and no request with it can have reached the server.
 * - `given`: the caller gave the id or an intent, so it may have been used elsewhere.
 * - `ambiguous`: an attempt may have reached the server, and its answer decided nothing.
 */
export type OperationHistory = 'fresh' | 'given' | 'ambiguous';

/** The outcome of a call, as far as its answers prove it. */
export type CallOutcome = 'applied' | 'refused' | 'unknown' | 'abandoned';

/** What an answer proves, and whether another attempt may follow. */
export interface Classification {
  /**
   * The outcome of the operation, if this was the last attempt. For a read, `applied` means that a valid
   * answer arrived, and `refused` every failure, including no answer.
   */
  readonly outcome: CallOutcome;
  /** Whether another attempt is allowed. */
  readonly isRetryable: boolean;
}

const applied: Classification = { outcome: 'applied', isRetryable: false };
const refused: Classification = { outcome: 'refused', isRetryable: false };
const refusedRetryable: Classification = { outcome: 'refused', isRetryable: true };
const unknown: Classification = { outcome: 'unknown', isRetryable: false };
const unknownRetryable: Classification = { outcome: 'unknown', isRetryable: true };
const abandoned: Classification = { outcome: 'abandoned', isRetryable: false };
const abandonedRetryable: Classification = { outcome: 'abandoned', isRetryable: true };

type Row = Readonly<Record<OperationHistory, Classification>>;

/** The answer proves the same, whatever happened before. */
function always(classification: Classification): Row {
  return { fresh: classification, given: classification, ambiguous: classification };
}

/** The answer is about this attempt alone. It proves nothing if an earlier one was ambiguous. */
function unlessAmbiguous(classification: Classification, afterAmbiguous = unknown): Row {
  return { fresh: classification, given: classification, ambiguous: afterAmbiguous };
}

/** The answer proves something only if nobody else can have used the operation id. */
function onlyIfFresh(classification: Classification, otherwise = unknown): Row {
  return { fresh: classification, given: otherwise, ambiguous: otherwise };
}

/**
 * What each answer means for a change. A change is refused only if the answer proves it (DECISIONS.md, D84). The server
 * first checks the caller and the request, then looks up the operationId, then applies the change:
 *
 * - An answer from after the look-up always proves it.
 * - An answer from before the look-up proves it only if no attempt was ambiguous.
 * - An answer of unknown meaning never proves it, or only for a fresh id.
 */
const table = {
  ok: always(applied),
  /** 200, but the server neither applied the change nor has a stored result of it. */
  'not-applied': always(refused),
  /** 2xx that is incomplete, is not JSON, or is not what the contract promises. */
  unreadable: always(unknownRetryable),
  /** 2xx that is larger than the caller allows. It will be as large again. */
  'too-large': always(unknown),
  /** No answer, and the request may have arrived. */
  lost: always(unknownRetryable),
  /** No answer, and the request provably never left. */
  unsent: unlessAmbiguous(abandonedRetryable, unknownRetryable),
  /** Like `unsent`, and another attempt would fail in the same way. */
  'unsent-permanently': unlessAmbiguous(abandoned),
  /** Deadline or abort while a request was in progress. */
  interrupted: always(unknown),
  /** Deadline or abort while no request was in progress. */
  stopped: unlessAmbiguous(abandoned),
  /** Moved: the request was not processed here. */
  301: unlessAmbiguous(refused),
  307: unlessAmbiguous(refused),
  308: unlessAmbiguous(refused),
  /** Any other redirect; 303 for one is how some servers confirm a POST. */
  '3xx': always(unknown),
  400: unlessAmbiguous(refused),
  401: unlessAmbiguous(refused),
  403: unlessAmbiguous(refused),
  /** A code that is not known: it may mean a record or the runtime (D52). */
  404: onlyIfFresh(refused),
  /** No error document of this API: a proxy or gateway that has no route to it, often for a moment only. */
  '404 foreign': onlyIfFresh(refusedRetryable, unknownRetryable),
  /** A replay comes before the look-up of the record [6.6], so nothing was applied under this id. */
  '404 notFound': always(refused),
  /** A service may answer a change with 404 for the runtime, too (D52): it proves as little as a 502. */
  '404 runtimeUnavailable': always(unknownRetryable),
  405: unlessAmbiguous(refused),
  408: always(unknownRetryable),
  /** A code that is not known, or none: it may say that the operation is uncertain. */
  409: always(unknown),
  /** A replay comes before the comparison of revisions [6.6]. */
  '409 staleRevision': always(refused),
  /** Of a fresh id, the server confuses two. Of any other, an earlier request arrived: `intentKnown`. */
  '409 inputConflict': onlyIfFresh(refused),
  /** Not this input: but an earlier request with the id was applied, is uncertain, or is still running. */
  '409 intentKnown': always(unknown),
  /** The server's own word, also on a first attempt: a gateway may have sent the request twice. */
  '409 uncertain': always(unknown),
  413: unlessAmbiguous(refused),
  414: unlessAmbiguous(refused),
  415: unlessAmbiguous(refused),
  429: unlessAmbiguous(refusedRetryable, unknownRetryable),
  '429 quotaExceeded': unlessAmbiguous(refused),
  431: unlessAmbiguous(refused),
  '4xx': onlyIfFresh(refused),
  '5xx': always(unknownRetryable),
} as const satisfies Record<string, Row>;

/**
 * How an attempt ended: a status, a status with a meaning that decides more, or a word if no status decides. The words
 * `lost`, `unsent`, `unsent-permanently`, `interrupted` and `stopped` say that there was no answer.
 */
export type Answer = `${keyof typeof table}`;

/** Decides the outcome from an answer, the kind of the call and what happened before. */
export function classify(kind: Kind, history: OperationHistory, answer: Answer): Classification {
  if (kind === 'keywords') return classifyKeywords(history, answer);
  const classification = table[answer][history];
  if (kind === 'change' || classification === applied) return classification;
  // A read without an answer has failed. It may be repeated if a change may be repeated.
  return classification.isRetryable ? refusedRetryable : refused;
}

/**
 * The server never sees the id of a keyword write, so nothing that arrives later settles an earlier attempt, and an
 * attempt that may have arrived is the last.
 */
function classifyKeywords(history: OperationHistory, answer: Answer): Classification {
  // A 404 says that the site is not in the organization, whatever its code: nothing was added.
  const classification = answer.startsWith('404') ? refused : table[answer].fresh;
  if (classification === applied) return applied;
  return history === 'ambiguous' || classification.outcome === 'unknown' ? unknown : classification;
}

function isAnswer(key: string): key is Answer {
  return Object.hasOwn(table, key);
}

/** The answer of a status that is not 2xx; `meaning` is undefined if the code is not known or there is none. */
export function toAnswer(status: number, meaning?: CodeMeaning): Answer {
  const rest = status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx';
  return [`${status} ${meaning}`, `${status}`].find(isAnswer) ?? rest;
}
