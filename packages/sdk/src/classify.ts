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

const done: Verdict = { outcome: 'applied', again: false };
const refused: Verdict = { outcome: 'refused', again: false };
const unknown: Verdict = { outcome: 'unknown', again: false };
const abandoned: Verdict = { outcome: 'abandoned', again: false };
const againOrRefused: Verdict = { outcome: 'refused', again: true };
const againOrUnknown: Verdict = { outcome: 'unknown', again: true };
const againOrAbandoned: Verdict = { outcome: 'abandoned', again: true };

type Row = readonly [fresh: Verdict, given: Verdict, ambiguous: Verdict];
const always = (verdict: Verdict): Row => [verdict, verdict, verdict];
/** Conclusive, unless an earlier attempt may have been applied: this answer is from before the replay step. */
const unlessAmbiguous = (verdict: Verdict, else_ = unknown): Row => [verdict, verdict, else_];

const read: Record<Answer, Row> = {
  ok: always(done),
  unreadable: always(againOrRefused),
  lost: always(againOrRefused),
  unsent: always(againOrRefused),
  interrupted: always(refused),
  stopped: always(refused),
  invalid: always(refused),
  unauthorized: always(refused),
  forbidden: always(refused),
  missing: always(refused),
  timeout: always(againOrRefused),
  stale: always(refused),
  'input-conflict': always(refused),
  uncertain: always(refused),
  conflict: always(refused),
  limited: always(againOrRefused),
  quota: always(refused),
  server: always(againOrRefused),
  moved: always(refused),
  redirected: always(refused),
  other: always(refused),
};

const change: Record<Answer, Row> = {
  ok: always(done),
  unreadable: always(againOrUnknown),
  lost: always(againOrUnknown),
  unsent: unlessAmbiguous(againOrAbandoned, againOrUnknown),
  interrupted: always(unknown),
  stopped: unlessAmbiguous(abandoned),
  invalid: unlessAmbiguous(refused),
  unauthorized: unlessAmbiguous(refused),
  forbidden: unlessAmbiguous(refused),
  missing: always(refused),
  timeout: always(againOrUnknown),
  stale: always(refused),
  'input-conflict': always(refused),
  // Nobody else can have used an id made by this very call, so here a 409 of any kind is a refusal.
  uncertain: [refused, unknown, unknown],
  conflict: [refused, unknown, unknown],
  limited: unlessAmbiguous(againOrRefused, againOrUnknown),
  quota: unlessAmbiguous(refused),
  server: always(againOrUnknown),
  moved: unlessAmbiguous(refused),
  redirected: always(unknown),
  other: unlessAmbiguous(refused),
};

/** Without an operationId nothing that arrives later can settle an earlier attempt. */
const keywords: Record<Answer, Row> = {
  ok: always(done),
  unreadable: always(unknown),
  lost: always(unknown),
  unsent: unlessAmbiguous(againOrAbandoned),
  interrupted: always(unknown),
  stopped: unlessAmbiguous(abandoned),
  invalid: unlessAmbiguous(refused),
  unauthorized: unlessAmbiguous(refused),
  forbidden: unlessAmbiguous(refused),
  missing: unlessAmbiguous(refused),
  timeout: always(unknown),
  stale: unlessAmbiguous(refused),
  'input-conflict': unlessAmbiguous(refused),
  uncertain: unlessAmbiguous(refused),
  conflict: unlessAmbiguous(refused),
  limited: unlessAmbiguous(againOrRefused),
  quota: unlessAmbiguous(refused),
  server: always(unknown),
  moved: unlessAmbiguous(refused),
  redirected: always(unknown),
  other: unlessAmbiguous(refused),
};

const table: Record<Kind, Record<Answer, Row>> = { read, change, keywords };
const column: Record<History, 0 | 1 | 2> = { fresh: 0, given: 1, ambiguous: 2 };

/** What an answer means, given the kind of call and what went before. */
export function classify(kind: Kind, history: History, answer: Answer): Verdict {
  return table[kind][answer][column[history]];
}

/** The kind of a status that is not 2xx; `code` is undefined where the body is not this API's error body. */
export function answerOf(status: number, code: string | undefined): Answer {
  if (status >= 500) return 'server';
  switch (status) {
    case 301:
    case 307:
    case 308:
      return 'moved';
    case 400:
      return 'invalid';
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return code === undefined ? 'other' : 'missing';
    case 408:
      return 'timeout';
    case 409:
      return conflictOf(code);
    case 429:
      return code === 'QUOTA_EXCEEDED' ? 'quota' : 'limited';
    default:
      return status < 400 ? 'redirected' : 'other';
  }
}

function conflictOf(code: string | undefined): Answer {
  switch (code) {
    case 'STALE_REVISION':
      return 'stale';
    case 'INPUT_CONFLICT':
      return 'input-conflict';
    case 'OPERATION_UNCERTAIN':
      return 'uncertain';
    default:
      return 'conflict';
  }
}
