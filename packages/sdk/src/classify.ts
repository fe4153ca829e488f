/** What kind of call: a read may be asked again, a change under its operationId, a keyword write not at all. */
export type Kind = 'read' | 'change' | 'keywords';

/**
 * What is known of an operation before an attempt. `fresh`: its id was made by this call and nothing of it can have
 * reached the server. `given`: the caller named or derived the id, so it may have been used elsewhere. `ambiguous`:
 * an attempt may have reached the server without a usable answer.
 */
export type History = 'fresh' | 'given' | 'ambiguous';

/** What came of one attempt. */
export type Answer =
  | 'ok'
  /** 2xx that breaks off, is no JSON, or not what the contract promises. */
  | 'unreadable'
  /** No answer, and the request may have arrived. */
  | 'lost'
  /** No answer, and the request provably never left. */
  | 'unsent'
  /** Deadline or abort while the request was under way. */
  | 'interrupted'
  /** Deadline or abort while nothing was under way. */
  | 'stopped'
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'missing'
  | 'timeout'
  | 'stale'
  | 'input-conflict'
  | 'uncertain'
  | 'conflict'
  | 'limited'
  | 'quota'
  | 'server'
  /** 301, 307, 308: what is asked for is elsewhere and was not done here. */
  | 'moved'
  /** Any other redirect; 303 for one is how some servers confirm a POST. */
  | 'redirected'
  /** Any other refusal, and a 404 that is not this API's. */
  | 'other';

export type Outcome = 'applied' | 'refused' | 'unknown' | 'abandoned';

export interface Verdict {
  /** What the operation has come to, if this was the last attempt. */
  readonly outcome: Outcome;
  /** Whether another attempt is allowed. */
  readonly again: boolean;
}

/** One letter a verdict; a capital allows another attempt. One letter alone holds for every history. */
type Letter = 'a' | 'r' | 'R' | 'u' | 'U' | 'x' | 'X';
/** After `fresh`, `given`, `ambiguous`. */
type Row = Letter | `${Letter}${Letter}${Letter}`;
const outcomes: Record<string, Outcome> = { a: 'applied', r: 'refused', u: 'unknown', x: 'abandoned' };
const histories: readonly History[] = ['fresh', 'given', 'ambiguous'];

/** `rru`: conclusive, unless an earlier attempt may have been applied; the answer is from before the replay step. */
const change: Record<Answer, Row> = {
  ok: 'a',
  unreadable: 'U',
  lost: 'U',
  unsent: 'XXU',
  interrupted: 'u',
  stopped: 'xxu',
  invalid: 'rru',
  unauthorized: 'rru',
  forbidden: 'rru',
  missing: 'r',
  timeout: 'U',
  stale: 'r',
  'input-conflict': 'r',
  // Nobody else can have used an id made by this very call, so there a 409 of any kind is a refusal.
  uncertain: 'ruu',
  conflict: 'ruu',
  limited: 'RRU',
  quota: 'rru',
  server: 'U',
  moved: 'rru',
  redirected: 'u',
  other: 'rru',
};

/** A read is answered or fails, and may be tried again where a change may. */
const forRead = (letter: string): string => (letter === 'a' ? 'a' : letter < 'a' ? 'R' : 'r');
/** Without an operationId nothing that arrives later settles an earlier attempt, so there is no later one. */
const forKeywords = (letter: string, history: History): string =>
  letter === 'U' || (history === 'ambiguous' && letter !== 'a') ? 'u' : letter;

/** What an answer means, given the kind of call and what went before. */
export function classify(kind: Kind, history: History, answer: Answer): Verdict {
  const row = change[answer];
  let letter = row[histories.indexOf(history)] ?? row;
  if (kind === 'read') letter = forRead(letter);
  if (kind === 'keywords') letter = forKeywords(letter, history);
  return { outcome: outcomes[letter.toLowerCase()] ?? 'unknown', again: letter < 'a' };
}

const byStatus: Record<number, Answer> = {
  301: 'moved',
  307: 'moved',
  308: 'moved',
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'missing',
  408: 'timeout',
  409: 'conflict',
  429: 'limited',
};

const byCode = new Map<string | undefined, Answer>([
  ['409 STALE_REVISION', 'stale'],
  ['409 INPUT_CONFLICT', 'input-conflict'],
  ['409 OPERATION_UNCERTAIN', 'uncertain'],
  ['429 QUOTA_EXCEEDED', 'quota'],
  // Not this API's: perhaps a proxy that knows nothing of it.
  ['404 undefined', 'other'],
]);

/** The kind of a status that is not 2xx; `code` is undefined where the body is not this API's error body. */
export function answerOf(status: number, code: string | undefined): Answer {
  if (status >= 500) return 'server';
  return byCode.get(`${status} ${code}`) ?? byStatus[status] ?? (status < 400 ? 'redirected' : 'other');
}
