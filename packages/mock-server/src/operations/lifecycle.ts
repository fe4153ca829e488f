/**
 * The lifecycle of a change operation (docs/lifecycle.md). The table defines the transition for every state and event; the
 * compiler rejects a table with a missing case.
 */
export type State = 'free' | 'running' | 'applied' | 'uncertain' | 'refused';

/** What can happen to an operationId. */
export type Event =
  /** A request with the input of the operation, or the first request. */
  | 'request'
  /** A request with a different input. */
  | 'other-input'
  /** The change was applied and its answer is stored. */
  | 'apply'
  /** The change was refused, and nothing was applied. */
  | 'refuse'
  /** The same of a server that remembers the operationId of a refused change. */
  | 'remember-refusal'
  /** The outcome of the change became unknown. */
  | 'lose'
  /** The change turned out to be applied. */
  | 'find-applied'
  /** The change turned out not to be applied. */
  | 'find-unapplied';

/** How a request is answered; `impossible` if the event cannot happen in that state. */
export type Verdict = 'proceed' | 'replay' | 'conflict' | 'uncertain' | 'silent' | 'impossible';

export interface Transition {
  readonly next: State;
  readonly verdict: Verdict;
}

const to = (next: State, verdict: Verdict = 'silent'): Transition => ({ next, verdict });

export const lifecycle: Readonly<Record<State, Readonly<Record<Event, Transition>>>> = {
  free: {
    request: to('running', 'proceed'),
    'other-input': to('running', 'proceed'),
    apply: to('free', 'impossible'),
    refuse: to('free', 'impossible'),
    'remember-refusal': to('free', 'impossible'),
    lose: to('free', 'impossible'),
    'find-applied': to('free', 'impossible'),
    'find-unapplied': to('free', 'impossible'),
  },
  running: {
    request: to('running', 'uncertain'),
    'other-input': to('running', 'conflict'),
    apply: to('applied'),
    refuse: to('free'),
    'remember-refusal': to('refused'),
    lose: to('uncertain'),
    'find-applied': to('running', 'impossible'),
    'find-unapplied': to('running', 'impossible'),
  },
  applied: {
    request: to('applied', 'replay'),
    'other-input': to('applied', 'conflict'),
    apply: to('applied', 'impossible'),
    refuse: to('applied', 'impossible'),
    'remember-refusal': to('applied', 'impossible'),
    lose: to('applied', 'impossible'),
    'find-applied': to('applied', 'impossible'),
    'find-unapplied': to('applied', 'impossible'),
  },
  uncertain: {
    request: to('uncertain', 'uncertain'),
    'other-input': to('uncertain', 'conflict'),
    apply: to('uncertain', 'impossible'),
    refuse: to('uncertain', 'impossible'),
    'remember-refusal': to('uncertain', 'impossible'),
    lose: to('uncertain', 'impossible'),
    'find-applied': to('applied'),
    'find-unapplied': to('free'),
  },
  refused: {
    request: to('running', 'proceed'),
    'other-input': to('refused', 'conflict'),
    apply: to('refused', 'impossible'),
    refuse: to('refused', 'impossible'),
    'remember-refusal': to('refused', 'impossible'),
    lose: to('refused', 'impossible'),
    'find-applied': to('refused', 'impossible'),
    'find-unapplied': to('refused', 'impossible'),
  },
};

/** When an uncertain operation is resolved. */
export type Resolution =
  | 'never'
  /** After this many requests with its operationId were answered 409. */
  | { readonly afterRequests: number }
  /** At this moment of the world's clock, in milliseconds. */
  | { readonly at: number };

/** A stored operation. A free operationId has none. */
export interface Operation {
  readonly state: Exclude<State, 'free'>;
  readonly operationId: string;
  /** The canonical JSON of the change, or its digest if the JSON is long. */
  readonly input: string;
  readonly action: string;
  /** The request that began it. */
  readonly requestId: string;
  readonly createdAt: string;
  /** The stored answer; of an uncertain operation, the answer to replay if it turns out to be applied. */
  readonly answer?: StoredAnswer | undefined;
  readonly resolution?: Resolution | undefined;
}

export interface StoredAnswer {
  readonly auditRecorded: boolean;
  /** The JSON of `result`. */
  readonly result: string;
}

/** The body of the answer to a change, or to a replay of it. */
export const formatStoredAnswer = ({ auditRecorded, result }: StoredAnswer, replayed: boolean): string =>
  `{"ok":true,"applied":true,"replayed":${replayed},"auditRecorded":${auditRecorded},"result":${result}}`;
