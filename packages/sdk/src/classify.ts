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

/** One letter an outcome; a capital allows another attempt. One letter alone holds for every history. */
type Letter = 'a' | 'r' | 'R' | 'u' | 'U' | 'x' | 'X';
/** After `fresh`, `given`, `ambiguous`. */
type Row = Letter | `${Letter}${Letter}${Letter}`;
const outcomes: Record<Lowercase<Letter>, Outcome> = {
  a: 'applied',
  r: 'refused',
  u: 'unknown',
  x: 'abandoned',
};
const histories: readonly History[] = ['fresh', 'given', 'ambiguous'];

/**
 * What each answer means for a change. `rru` is conclusive unless an earlier attempt may have been applied: such an
 * answer is from before the point where the server recognizes an operation.
 */
const table = {
  ok: 'a',
  /** 2xx that breaks off, is no JSON, or not what the contract promises. */
  unreadable: 'U',
  /** No answer, and the request may have arrived. */
  lost: 'U',
  /** No answer, and the request provably never left. */
  unsent: 'XXU',
  /** Deadline or abort while the request was under way. */
  interrupted: 'u',
  /** Deadline or abort while nothing was under way. */
  stopped: 'xxu',
  /** Moved: what is asked for is elsewhere and was not done here. */
  301: 'rru',
  307: 'rru',
  308: 'rru',
  /** Any other redirect; 303 for one is how some servers confirm a POST. */
  '3xx': 'u',
  400: 'rru',
  401: 'rru',
  403: 'rru',
  404: 'r',
  /** Not this API's: perhaps a proxy that knows nothing of it. */
  '404 undefined': 'rru',
  // The runtime may be looked at before the operationId (D84).
  '404 RUNTIME_UNAVAILABLE': 'rru',
  408: 'U',
  // Nobody else can have used an id made by this very call, so there a 409 of any kind is a refusal.
  409: 'ruu',
  '409 STALE_REVISION': 'r',
  '409 INPUT_CONFLICT': 'r',
  '409 OPERATION_UNCERTAIN': 'ruu',
  429: 'RRU',
  '429 QUOTA_EXCEEDED': 'rru',
  '4xx': 'rru',
  '5xx': 'U',
} as const satisfies Record<string, Row>;

/** What came of one attempt: a status, where its code says more a status with its code, or a word for the rest. */
export type Answer = `${keyof typeof table}`;

/** A read is answered or fails, and may be tried again where a change may. */
const forRead = (letter: Letter): Letter => (letter < 'a' ? 'R' : letter === 'a' ? 'a' : 'r');
/** Without an operationId nothing that arrives later settles an earlier attempt, so there is no later one. */
const forKeywords = (letter: Letter, history: History): Letter =>
  letter === 'U' || (history === 'ambiguous' && letter !== 'a') ? 'u' : letter;

/** What an answer means, given the kind of call and what went before. */
export function classify(kind: Kind, history: History, answer: Answer): Verdict {
  const row: Row = table[answer];
  let letter = (row[histories.indexOf(history)] ?? row) as Letter;
  if (kind === 'read') letter = forRead(letter);
  if (kind === 'keywords') letter = forKeywords(letter, history);
  return { outcome: outcomes[letter.toLowerCase() as Lowercase<Letter>], again: letter < 'a' };
}

/** The answer of a status that is not 2xx; `code` is undefined where the body is not this API's error body. */
export function answerOf(status: number, code?: string): Answer {
  const rest = status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx';
  return [`${status} ${code}`, `${status}`].find((key): key is Answer => key in table) ?? rest;
}
