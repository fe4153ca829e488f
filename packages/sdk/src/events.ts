import type { Answer, Outcome } from './classify.ts';
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
  readonly subject: string | undefined;
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
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly durationMs: number;
}

/** A call waits: for its turn, or before another attempt. */
export interface WaitEvent extends CallFacts {
  readonly type: 'wait';
  readonly reason: 'pacing' | 'retry';
  /** How long; undefined for a turn, which depends on those before. */
  readonly ms: number | undefined;
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
}

/** The journal holds something it cannot use, or could not be written after the answer came. */
export interface JournalEvent {
  readonly type: 'journal';
  readonly problem: JournalProblem;
}

/** No event has the key, headers or bodies. */
export type ClientEvent = RequestEvent | AttemptEvent | WaitEvent | OutcomeEvent | JournalEvent;

interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
}

interface BuiltIns {
  getBuiltinModule?(name: string): { channel?(name: string): Channel } | undefined;
}

const types = [
  'request',
  'attempt',
  'wait',
  'outcome',
  'journal',
] as const satisfies readonly ClientEvent['type'][];

/** `node:diagnostics_channel` where the runtime has it; asked for, not imported, so that the core runs without. */
function diagnostics(): Map<string, Channel> {
  const channels = new Map<string, Channel>();
  try {
    const runtime: BuiltIns | undefined = globalThis.process;
    const module = runtime?.getBuiltinModule?.('node:diagnostics_channel');
    for (const type of types) {
      const channel = module?.channel?.(`orgchat:${type}`);
      if (channel !== undefined) channels.set(type, channel);
    }
  } catch {
    // A runtime that refuses has none.
  }
  return channels;
}

let channels: Map<string, Channel> | undefined;

/** Tells the listener of a client, and the channels `orgchat:request` and so on of the process. */
export class Emitter {
  readonly #listener: ((event: ClientEvent) => void) | undefined;

  constructor(listener: ((event: ClientEvent) => void) | undefined) {
    this.#listener = listener;
    channels ??= diagnostics();
  }

  /** Makes the event only where somebody listens. */
  emit<E extends ClientEvent>(type: E['type'], make: () => E): void {
    const channel = channels?.get(type);
    const heard = channel?.hasSubscribers ? channel : undefined;
    if (this.#listener === undefined && heard === undefined) return;
    const event: ClientEvent = make();
    Object.freeze(event);
    try {
      this.#listener?.(event);
    } catch {
      // A listener must not change what becomes of a call.
    }
    heard?.publish(event);
  }
}
