import type { Answer } from './classify.ts';
import type { Core } from './core.ts';
import { type Patience, patienceFor } from './deadline.ts';
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
  return { core, request, body, limits, patience: patienceFor(limits.timeoutMs, options?.signal) };
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
  readonly serverMessage?: string | undefined;
  /** When another try makes sense, where something else than the answer says so. */
  readonly retryAt?: Date | undefined;
  readonly cause?: unknown;
}
