import type { Answer, Outcome } from './classify.ts';
import type { CodeMeaning } from './generated/code-meanings.ts';
import type { JournalProblem } from './journal/journal.ts';

export type OperationName = 'account' | 'addKeywords' | 'readChat' | 'changeChat' | 'readStudio';

/** What every event of a call says. */
export interface CallFacts {
  /** The same for all events of a call, and no other's in this process. */
  readonly callId: number;
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST';
  /** Below the base URL. */
  readonly path: string;
  /** The action of a change or the resource of a read. */
  readonly subject?: string | undefined;
  readonly operationId: string | undefined;
}

/** A call began. */
export interface RequestEvent extends CallFacts {
  readonly type: 'request';
}

/** An attempt came to an end. */
export interface AttemptEvent extends CallFacts {
  readonly type: 'attempt';
  /** From 1. */
  readonly attempt: number;
  readonly answer: Answer;
  /** The server's code, or one of this package's own; undefined for a success and for an answer without a code. */
  readonly code?: string | undefined;
  /** What the server's code means; undefined if it is not known. */
  readonly meaning?: CodeMeaning | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly durationMs: number;
}

/** A call waits: for its turn, or before another attempt. */
export interface WaitEvent extends CallFacts {
  readonly type: 'wait';
  readonly reason: 'pacing' | 'retry';
  /** How long; undefined for a turn, which depends on those before. */
  readonly ms?: number | undefined;
}

/** A call ended. */
export interface OutcomeEvent extends CallFacts {
  readonly type: 'outcome';
  /** For a read `applied` says that it was answered, `refused` that it failed. */
  readonly outcome: Outcome;
  readonly attempts: number;
  readonly durationMs: number;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** The code of the error thrown. */
  readonly errorCode: string | undefined;
  /** What the server's code means, as on the error. */
  readonly meaning?: CodeMeaning | undefined;
  /** If `errorCode` is `OUTCOME_UNKNOWN`: the code of the last answer or failure. */
  readonly errorReason: string | undefined;
}

/** The journal holds something it cannot use, or could not be written after the answer came. */
export interface JournalEvent {
  readonly type: 'journal';
  readonly problem: JournalProblem;
}

/** No event has the key, headers or bodies. */
export type ClientEvent = RequestEvent | AttemptEvent | WaitEvent | OutcomeEvent | JournalEvent;

type News<E> = E extends CallFacts ? Omit<E, keyof CallFacts> : never;
/** Tells an event of a call, whose facts it adds. */
export type Tell = (news: News<ClientEvent>) => void;

interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
}

interface BuiltIns {
  getBuiltinModule?(name: string): { channel?(name: string): Channel } | undefined;
}

/** Tells the listener of a client and the channel of the process; the event is made only where somebody listens. */
export type Emit = (make: () => ClientEvent) => void;

export function emitter(listener: ((event: ClientEvent) => void) | undefined): Emit {
  // The channel `orgchat` of `node:diagnostics_channel`, where the runtime has it; asked for, not imported.
  const runtime: BuiltIns | undefined = globalThis.process;
  const channel = runtime?.getBuiltinModule?.('node:diagnostics_channel')?.channel?.('orgchat');
  return (make) => {
    if (!listener && !channel?.hasSubscribers) return;
    const event = make();
    // A listener, which may be asynchronous, must not change what becomes of a call or of the process.
    (async () => listener?.(event))().catch(() => undefined);
    channel?.publish(event);
  };
}
