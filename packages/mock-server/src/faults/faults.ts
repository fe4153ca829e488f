import { declares, type OperationName } from '@orgchat/spec';
import type { EventLog } from '../events/event-log.ts';
import type { Fault as ListedFault } from '../generated/public-types.ts';
import { ControlError, notFound } from '../input-checks/control-error.ts';
import { formatNumber, maxFaults } from '../mock-limits.ts';
import { toIsoString } from '../primitives/clock.ts';
import { maskKey } from '../records/key.ts';
import type { Trace } from '../request-log/trace.ts';
import { FaultRandom } from './fault-random.ts';
import { canRivalEdit } from './rival-edit.ts';
import type { Effect, Fault, FaultOf } from './schema.ts';
import { setsStatus } from './unreachable.ts';

/** What faults are matched with: what a request asks for, before it is validated. */
export interface FaultTarget {
  readonly operation: OperationName;
  /** The key as it was sent, valid or not. */
  readonly key: string | undefined;
  readonly action: string | undefined;
  readonly resource: string | undefined;
  readonly operationId: string | undefined;
}

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
  /** Number of requests that the fault can still hit. */
  readonly remaining: number | 'always';
  readonly hits: readonly Hit[];
};

interface ArmedFaultState {
  readonly id: string;
  readonly fault: Fault;
  readonly random: FaultRandom;
  seen: number;
  hits: Hit[];
}

/** A fault that hits a request. */
export interface FaultMatch<E extends Effect> {
  readonly id: string;
  readonly fault: FaultOf<E>;
}

/** What faults do to a request on its arrival. */
export interface ArrivalFaults {
  /** How long they delay it before it is applied, and how long its answer after that; undefined without a delay. */
  delayMs: number | undefined;
  answerDelayMs: number | undefined;
  /** The fault that ends it, after these delays. */
  end: FaultMatch<'drop-request' | 'respond'> | undefined;
}

/** The armed faults of a world. The hooks of the pipeline (`fault-hooks.ts`) match requests with them. */
export class Faults {
  readonly #randomSeed: number;
  #armed: ArmedFaultState[] = [];
  #count = 0;

  /** The statuses that faults answered or may have answered: those of all that were ever armed. */
  readonly statuses = new Set<number>();

  /** Whether a fault is armed; otherwise requests need not be matched. */
  areArmed = false;

  /** Where events go, if anywhere. */
  events: EventLog | undefined;

  constructor(randomSeed: number) {
    this.#randomSeed = randomSeed;
  }

  /** Arms a fault. Throws a `ControlError` 409 if the maximum number of faults is armed. */
  arm(fault: Fault): ArmedFault {
    if (this.#armed.length >= maxFaults) throw tooManyFaults(this.#armed);
    const id = `fault-${++this.#count}`;
    const random = new FaultRandom(this.#randomSeed, this.#count);
    const armed: ArmedFaultState = { id, fault, random, seen: 0, hits: [] };
    this.#armed.push(armed);
    if (setsStatus(fault)) this.statuses.add(fault.status);
    this.areArmed = true;
    this.events?.add('fault', { action: 'armed', id, effect: fault.effect, requestId: null });
    return toArmedFault(armed);
  }

  list(): ArmedFault[] {
    return this.#armed.map(toArmedFault);
  }

  /** Disarms one fault, or all, and returns their number. Throws a `ControlError` 404 for an unknown id. */
  disarm(id?: string): number {
    const one = this.#armed.find((armed) => armed.id === id);
    if (id !== undefined && one === undefined) throw notFound(`fault ${id}`);
    const before = this.#armed.length;
    this.#armed = id === undefined ? [] : this.#armed.filter((armed) => armed.id !== id);
    this.areArmed = this.#armed.length > 0;
    const effect = one?.fault.effect ?? null;
    this.events?.add('fault', { action: 'disarmed', id: id ?? null, effect, requestId: null });
    return before - this.#armed.length;
  }

  /**
   * Finds the fault that hits a request: the first armed one that has one of the effects, matches the request and is due.
   * Counts the request for every fault that matches it. `isPossible` says whether the mock can do to this request what a
   * fault says.
   */
  match<E extends Effect>(
    effects: readonly E[],
    target: FaultTarget,
    trace: Trace,
    isPossible: (fault: FaultOf<E>) => boolean = () => true,
  ): FaultMatch<E> | undefined {
    let matched: FaultMatch<E> | undefined;
    for (const armed of this.#armed) {
      const { fault } = armed;
      if (!hasEffect(fault, effects) || !appliesTo(fault, target) || !isPossible(fault)) continue;
      armed.seen++;
      if (matched === undefined && this.#hit(armed, target, trace)) matched = { id: armed.id, fault };
    }
    return matched;
  }

  /**
   * Finds what faults do to a request on its arrival, in the order in which they were armed: delays add up, and the first
   * fault that ends the request is the last to hit it.
   */
  matchOnArrival(target: FaultTarget, trace: Trace): ArrivalFaults {
    const found: ArrivalFaults = { delayMs: undefined, answerDelayMs: undefined, end: undefined };
    for (const armed of this.#armed) {
      const { fault, id } = armed;
      if (!hasEffect(fault, ['drop-request', 'respond', 'delay']) || !appliesTo(fault, target)) continue;
      armed.seen++;
      if (found.end !== undefined || !this.#hit(armed, target, trace)) continue;
      if (fault.effect !== 'delay') found.end = { id, fault };
      else {
        const name = fault.applied ? 'answerDelayMs' : 'delayMs';
        found[name] = (found[name] ?? 0) + armed.random.getDelay(armed.seen, fault.delayMs);
      }
    }
    return found;
  }

  /** Whether a fault hits a request that matches it, which is then noted. */
  #hit(armed: ArmedFaultState, target: FaultTarget, trace: Trace): boolean {
    const { id, fault, seen } = armed;
    if (seen <= fault.after || isUsedUp(armed)) return false;
    if (!armed.random.isHit(seen, fault.probability)) return false;
    const { requestId } = trace;
    armed.hits.push({ requestId, at: toIsoString(trace.receivedAt), operation: target.operation });
    this.events?.add('fault', { action: 'hit', id, effect: fault.effect, requestId });
    trace.rare.faultHits = [...(trace.faultHits ?? []), { id, effect: fault.effect }];
    return true;
  }
}

const isUsedUp = ({ fault, hits }: ArmedFaultState): boolean =>
  fault.times !== 'always' && hits.length >= fault.times;

function tooManyFaults(armed: readonly ArmedFaultState[]): ControlError {
  const spent = armed.filter(isUsedUp).length;
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
    (!setsStatus(fault) || fault.undeclared || declares(target.operation, fault.status)) &&
    (fault.effect !== 'rival-edit' || canRivalEdit(fault, target.resource))
  );
}

function toArmedFault({ id, fault, seen, hits }: ArmedFaultState): ArmedFault {
  const key = fault.key === undefined ? {} : { key: maskKey(fault.key) };
  const remaining = fault.times === 'always' ? 'always' : fault.times - hits.length;
  return { id, ...fault, ...key, seen, remaining, hits: hits.slice() };
}
