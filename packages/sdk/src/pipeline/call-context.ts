import type { ClientContext } from '../client-context.ts';
import type { Versions } from '../errors/base.ts';
import type { CodeMeaning } from '../generated/code-meanings.ts';
import type { Ending } from '../options/internal-options.ts';
import type { CallOptions } from '../options/options.ts';
import type { ResolvedCallOptions } from '../options/resolve-options.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';
import type { Answer } from '../retry/classify.ts';
import type { Deadline } from '../timing/deadline.ts';
import type { Operation } from '../write/operation.ts';
import type { ApiRequest } from './api-request.ts';

/** Finishes a change later, by its operation id. Keyword writes cannot be finished. */
export type Resume = (operationId: string) => Promise<ChangeOutcome>;

/** The state of one call, from the first attempt to its result. */
export interface CallContext<T> {
  readonly client: ClientContext;
  readonly request: ApiRequest<T>;
  readonly body: string | undefined;
  /** The headers of this call, besides those of the client. */
  readonly headers: Readonly<Record<string, string | null>> | undefined;
  readonly callOptions: ResolvedCallOptions;
  readonly deadline: Deadline;
  /** What ends the reads that find out the outcome: the signal of the caller, unless it ends waits only. */
  readonly signal: AbortSignal | undefined;
  /** Set if the signal of the caller lets a request that is on its way finish. */
  readonly ending: Ending | undefined;
  /** The operation of a write, whose journal entry this call holds. */
  readonly operation?: Operation;
  readonly resume?: Resume | undefined;
  /** Whether it is enough that the server knows the id with other input. */
  readonly acceptsKnownIntent?: boolean | undefined;
  /** Whether a request is on its way. */
  isSending?: boolean;
  /** Until when its entry is held, in milliseconds since the epoch, once a wait extended the hold. */
  heldUntil?: number;
  /** Set while this call has a place in a shared line: what its attempt ended with decides when the place is free. */
  releasePlace?: ((result: AttemptResult, limitWaitMs: number | undefined) => void) | undefined;
}

/** Returns the options of a read that finds out what a call did: it ends when the call does. */
export function toReadOptions<T>({ signal, deadline, callOptions }: CallContext<T>): CallOptions {
  const { attemptTimeoutMs } = callOptions;
  return { signal, timeoutMs: deadline.endsAt - performance.now(), attemptTimeoutMs };
}

/** The result of one attempt, with everything that events and errors say about it. */
export interface AttemptResult<T = unknown> {
  readonly answer: Answer;
  readonly value?: T | undefined;
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  /** `X-Request-Id`. */
  readonly requestId?: string | undefined;
  /** The code of an error body, or a code of this package. */
  readonly code?: string | undefined;
  /** What the code of an error body means; undefined if it is not known with this status. */
  readonly meaning?: CodeMeaning | undefined;
  /** Both versions of the record, if a read proved that the change was stale. */
  readonly versions?: Versions | undefined;
  readonly serverMessage?: string | undefined;
  /** How the body begins, if it is not an error document of this API although the status is one of an error. */
  readonly bodyStart?: string | undefined;
  /** When to try again, if something other than the answer says so. */
  readonly retryAt?: Date | undefined;
  /** Set if the deadline would pass before the pacing has a free slot. */
  readonly waitingFor?: 'pacing';
  /** What the code alone does not say: a sentence for the message of the error. */
  readonly detail?: string | undefined;
  readonly cause?: unknown;
}
