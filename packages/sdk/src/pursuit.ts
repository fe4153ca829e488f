import type { Answer } from './classify.ts';
import type { Core } from './core.ts';
import { type Patience, patienceFor } from './deadline.ts';
import type { Versions } from './errors/base.ts';
import type { CodeMeaning } from './generated/code-meanings.ts';
import type { Operation } from './operation.ts';
import { type CallOptions, type Limits, limitsOf } from './options.ts';
import type { ChangeOutcome } from './outcome.ts';
import type { ApiRequest } from './request.ts';

/** How a change of an operation is finished later; a keyword write has no such way. */
export type Resume = (operationId: string) => Promise<ChangeOutcome>;

/** A call on its way. */
export interface Pursuit<T> {
  readonly core: Core;
  readonly request: ApiRequest<T>;
  readonly body: string | undefined;
  readonly limits: Limits;
  readonly patience: Patience;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** The write that is held in the journal. */
  readonly operation?: Operation;
  readonly resume?: Resume | undefined;
}

export function pursuitOf<T>(
  core: Core,
  request: ApiRequest<T>,
  body: string | undefined,
  options: CallOptions | undefined,
): Pursuit<T> {
  const limits = options ? limitsOf(core.limits, options) : core.limits;
  const signal = options?.signal;
  const patience = patienceFor(limits.timeoutMs, signal, limits.coversPacing);
  return { core, request, body, limits, patience, signal };
}

/** What came of an attempt, with everything that is said about it later. */
export interface Arrival<T = unknown> {
  readonly answer: Answer;
  readonly value?: T | undefined;
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  /** `X-Request-Id`. */
  readonly requestId?: string | undefined;
  /** The code of an error body, or one of this package's own. */
  readonly code?: string | undefined;
  /** What the code of an error body means; undefined if it is not known with this status. */
  readonly meaning?: CodeMeaning | undefined;
  /** Of a change that a read proved to be stale. */
  readonly versions?: Versions | undefined;
  readonly serverMessage?: string | undefined;
  /** When another try makes sense, where something else than the answer says so. */
  readonly retryAt?: Date | undefined;
  /** Set if the deadline would pass before the pacing has a free slot. */
  readonly waitingFor?: 'pacing';
  /** What the code alone does not say: a sentence for the message of the error. */
  readonly detail?: string | undefined;
  readonly cause?: unknown;
}
