import type { CodeMeaning } from './generated/code-meanings.ts';

/** What kind of call: a read may be asked again, a change under its operationId, a keyword write not at all. */
export type Kind = 'read' | 'change' | 'keywords';

/**
 * What is known of an operation before an attempt. `fresh`: its id was made by this call and nothing of it can have
 * reached the server. `given`: the caller named or derived the id, so it may have been used elsewhere. `ambiguous`:
 * an attempt may have reached the server without a usable answer.
 */
export type History = 'fresh' | 'given' | 'ambiguous';

export type Outcome = 'applied' | 'refused' | 'unknown' | 'abandoned';

export interface Verdict {
  /** What the operation has come to, if this was the last attempt. A read is `applied` or `refused`. */
  readonly outcome: Outcome;
  /** Whether another attempt is allowed. */
  readonly again: boolean;
}

const applied: Verdict = { outcome: 'applied', again: false };
const refused: Verdict = { outcome: 'refused', again: false };
const refusedForNow: Verdict = { outcome: 'refused', again: true };
const unknown: Verdict = { outcome: 'unknown', again: false };
const unknownForNow: Verdict = { outcome: 'unknown', again: true };
const abandoned: Verdict = { outcome: 'abandoned', again: false };
const abandonedForNow: Verdict = { outcome: 'abandoned', again: true };

type Row = Readonly<Record<History, Verdict>>;

/** The answer means the same whatever went before. */
function always(verdict: Verdict): Row {
  return { fresh: verdict, given: verdict, ambiguous: verdict };
}

/** The answer says what became of this attempt, and nothing about an earlier one. */
function ofThisAttempt(verdict: Verdict, afterAmbiguous = unknown): Row {
  return { fresh: verdict, given: verdict, ambiguous: afterAmbiguous };
}

/** The answer proves something only of an id that nobody else can have used. */
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
  /** 2xx that breaks off, is no JSON, or not what the contract promises. */
  unreadable: always(unknownForNow),
  /** 2xx that is larger than the caller allows. It will be as large again. */
  'too-large': always(unknown),
  /** No answer, and the request may have arrived. */
  lost: always(unknownForNow),
  /** No answer, and the request provably never left. */
  unsent: ofThisAttempt(abandonedForNow, unknownForNow),
  /** As `unsent`, for a reason that another attempt does not remove. */
  unsendable: ofThisAttempt(abandoned),
  /** Deadline or abort while the request was under way. */
  interrupted: always(unknown),
  /** Deadline or abort while nothing was under way. */
  stopped: ofThisAttempt(abandoned),
  /** Moved: what is asked for is elsewhere and was not done here. */
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

/** What came of one attempt: a status, where its meaning says more a status with its meaning, or a word for the rest. */
export type Answer = `${keyof typeof table}`;

/** What an answer means, given the kind of call and what went before. */
export function classify(kind: Kind, history: History, answer: Answer): Verdict {
  if (kind === 'keywords') return classifyKeywords(history, answer);
  const verdict = table[answer][history];
  if (kind === 'change' || verdict === applied) return verdict;
  // A read that is not answered has failed, and may be tried again where a change may.
  return verdict.again ? refusedForNow : refused;
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
export function answerOf(status: number, meaning?: CodeMeaning): Answer {
  const rest = status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx';
  return [`${status} ${meaning}`, `${status}`].find(isAnswer) ?? rest;
}
