import { declares } from '@orgchat/spec';
import { ControlError, notFound } from '../control/input.ts';
import { formatNumber, maxFaults } from '../control/limits.ts';
import type { Fault as ListedFault } from '../generated/public-types.ts';
import type { Trace } from '../request-log/request-log.ts';
import { toIsoString } from '../world/clock.ts';
import { maskKey } from '../world/key.ts';
import type { Effect, Fault, FaultOf } from './schema.ts';
import type { FaultTarget } from './target.ts';

/** A request that a fault hit. */
export interface Hit {
  readonly requestId: string;
  readonly at: string;
  readonly operation: string;
}

/** An armed fault with the requests it hit. */
export type ArmedFault = ListedFault & {
  readonly id: string;
  /** Number of requests that matched, including skipped ones. */
  readonly seen: number;
  readonly remaining: number;
  readonly hits: readonly Hit[];
};

interface Armed {
  readonly id: string;
  readonly fault: Fault;
  seen: number;
  hits: Hit[];
}

/**
 * The armed faults of a world. Each hook of the pipeline matches its effects: the first armed fault that matches the
 * request and is due takes effect.
 */
export class Faults {
  #armed: Armed[] = [];
  #count = 0;

  /** Whether no fault is armed, so that requests need not be matched. */
  get idle(): boolean {
    return this.#armed.length === 0;
  }

  /** Arms a fault. Throws a `ControlError` 409 if the maximum number of faults is armed. */
  arm(fault: Fault): ArmedFault {
    if (this.#armed.length >= maxFaults) throw tooManyFaults(this.#armed);
    const armed: Armed = { id: `fault-${++this.#count}`, fault, seen: 0, hits: [] };
    this.#armed.push(armed);
    return toArmedFault(armed);
  }

  list(): ArmedFault[] {
    return this.#armed.map(toArmedFault);
  }

  /** Disarms one fault, or all, and returns their number. Throws a `ControlError` 404 for an unknown id. */
  disarm(id?: string): number {
    if (id !== undefined && !this.#armed.some((armed) => armed.id === id)) throw notFound(`fault ${id}`);
    const before = this.#armed.length;
    this.#armed = id === undefined ? [] : this.#armed.filter((armed) => armed.id !== id);
    return before - this.#armed.length;
  }

  /** On arrival, before anything is checked. */
  matchOnArrival(
    target: FaultTarget,
    trace: Trace,
  ): { end: FaultOf<'drop-request' | 'respond'> | undefined; delayMs: number | undefined } {
    const end = this.#match(['drop-request', 'respond'], target, trace);
    const delay = end === undefined ? this.#match(['delay'], target, trace) : undefined;
    return { end, delayMs: delay?.delayMs };
  }

  /** Before a new change is checked; only a change that names a revision can meet a rival edit. */
  matchBeforeApply(
    target: FaultTarget,
    guarded: boolean,
    trace: Trace,
  ): { rival: boolean; skipAudit: boolean } {
    return {
      rival: guarded && this.#match(['rival-edit'], target, trace) !== undefined,
      skipAudit: this.#match(['skip-audit'], target, trace) !== undefined,
    };
  }

  /** Before a new change that passed its checks is written. */
  matchBeforeWrite(target: FaultTarget, trace: Trace): FaultOf<'uncertain'> | undefined {
    return this.#match(['uncertain'], target, trace);
  }

  /** Before a success is answered. */
  matchBeforeAnswer(
    target: FaultTarget,
    trace: Trace,
  ): FaultOf<'lose-response' | 'cut-response'> | undefined {
    return this.#match(['lose-response', 'cut-response'], target, trace);
  }

  #match<E extends Effect>(effects: readonly E[], target: FaultTarget, trace: Trace): FaultOf<E> | undefined {
    let matched: FaultOf<E> | undefined;
    for (const armed of this.#armed) {
      const { fault } = armed;
      if (!hasEffect(fault, effects) || !appliesTo(fault, target)) continue;
      armed.seen++;
      if (matched !== undefined || armed.seen <= fault.after || armed.hits.length >= fault.times) continue;
      armed.hits.push({
        requestId: trace.requestId,
        at: toIsoString(trace.receivedAt),
        operation: target.operation,
      });
      trace.faults = [...(trace.faults ?? []), fault.effect];
      matched = fault;
    }
    return matched;
  }
}

function tooManyFaults(armed: readonly Armed[]): ControlError {
  const spent = armed.filter(({ fault, hits }) => hits.length >= fault.times).length;
  const message = `${formatNumber(maxFaults)} faults are armed, the maximum of a mock. ${formatNumber(spent)} of them are used up. Remove the faults you do not need: DELETE /faults/{id}, or DELETE /faults for all.`;
  return new ControlError(409, 'TOO_MANY_FAULTS', message, { limit: maxFaults, spent });
}

const hasEffect = <E extends Effect>(fault: Fault, effects: readonly E[]): fault is FaultOf<E> =>
  (effects as readonly Effect[]).includes(fault.effect);

function appliesTo(fault: Fault, target: FaultTarget): boolean {
  return (
    (fault.operation === undefined || fault.operation === target.operation) &&
    (fault.action === undefined || fault.action === target.action) &&
    (fault.resource === undefined || fault.resource === target.resource) &&
    (fault.key === undefined || fault.key === target.key) &&
    (fault.effect !== 'respond' || fault.undeclared || declares(target.operation, fault.status))
  );
}

function toArmedFault({ id, fault, seen, hits }: Armed): ArmedFault {
  const key = fault.key === undefined ? {} : { key: maskKey(fault.key) };
  return { id, ...fault, ...key, seen, remaining: fault.times - hits.length, hits: hits.slice() };
}
