import { declares } from '@orgchat/spec';
import { momentOf } from '../clock.ts';
import { ControlError, notFound } from '../control/input.ts';
import { grouped, maxFaults } from '../control/limits.ts';
import type { Fault as ListedFault } from '../generated/public-types.ts';
import type { Trace } from '../journal/journal.ts';
import { maskKey } from '../mask.ts';
import type { Aim } from './aim.ts';
import type { Effect, Fault, FaultOf } from './schema.ts';

/** A request that a fault hit. */
export interface Hit {
  readonly requestId: string;
  readonly at: string;
  readonly operation: string;
}

/** A fault as it is listed: what it is, and what it hit. */
export type ArmedFault = ListedFault & {
  readonly id: string;
  /** Requests it fitted, those passed over included. */
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
 * The armed faults of a world. A request can be hit at four places: on arrival, when its change is checked, when
 * it is applied, and when its success is answered. At each the first armed fault that fits and is due hits it.
 */
export class Faults {
  #armed: Armed[] = [];
  #count = 0;

  /** Whether nothing is armed, so that no request need be looked at. */
  get idle(): boolean {
    return this.#armed.length === 0;
  }

  /** Throws a `ControlError` 409 if as many faults are armed as a mock keeps. */
  arm(fault: Fault): ArmedFault {
    if (this.#armed.length >= maxFaults) throw tooManyFaults(this.#armed);
    const armed: Armed = { id: `fault-${++this.#count}`, fault, seen: 0, hits: [] };
    this.#armed.push(armed);
    return view(armed);
  }

  list(): ArmedFault[] {
    return this.#armed.map(view);
  }

  /** Disarms one fault, or all, and returns how many. Throws a `ControlError` 404 if there is no such fault. */
  disarm(id?: string): number {
    if (id !== undefined && !this.#armed.some((armed) => armed.id === id)) throw notFound(`fault ${id}`);
    const before = this.#armed.length;
    this.#armed = id === undefined ? [] : this.#armed.filter((armed) => armed.id !== id);
    return before - this.#armed.length;
  }

  /** Before anything is checked: the connection is dropped, an answer is given, or the request waits. */
  strikeArrival(
    aim: Aim,
    trace: Trace,
  ): { end: FaultOf<'drop-request' | 'respond'> | undefined; delayMs: number | undefined } {
    const end = this.#strike(['drop-request', 'respond'], aim, trace);
    const delay = end === undefined ? this.#strike(['delay'], aim, trace) : undefined;
    return { end, delayMs: delay?.delayMs };
  }

  /** When a fresh change is about to be checked; only a guarded one can meet a rival. */
  strikeChange(aim: Aim, guarded: boolean, trace: Trace): { rival: boolean; skipAudit: boolean } {
    return {
      rival: guarded && this.#strike(['rival-edit'], aim, trace) !== undefined,
      skipAudit: this.#strike(['skip-audit'], aim, trace) !== undefined,
    };
  }

  /** When a fresh change has passed its checks. */
  strikeUncertain(aim: Aim, trace: Trace): FaultOf<'uncertain'> | undefined {
    return this.#strike(['uncertain'], aim, trace);
  }

  /** When a success is about to be answered. */
  strikeAnswer(aim: Aim, trace: Trace): FaultOf<'lose-response' | 'cut-response'> | undefined {
    return this.#strike(['lose-response', 'cut-response'], aim, trace);
  }

  #strike<E extends Effect>(effects: readonly E[], aim: Aim, trace: Trace): FaultOf<E> | undefined {
    let struck: FaultOf<E> | undefined;
    for (const armed of this.#armed) {
      const { fault } = armed;
      if (!isOf(fault, effects) || !fits(fault, aim)) continue;
      armed.seen++;
      if (struck !== undefined || armed.seen <= fault.after || armed.hits.length >= fault.times) continue;
      armed.hits.push({
        requestId: trace.requestId,
        at: momentOf(trace.receivedAt),
        operation: aim.operation,
      });
      trace.faults = [...(trace.faults ?? []), fault.effect];
      struck = fault;
    }
    return struck;
  }
}

function tooManyFaults(armed: readonly Armed[]): ControlError {
  const spent = armed.filter(({ fault, hits }) => hits.length >= fault.times).length;
  const message = `${grouped(maxFaults)} faults are armed, the most that a mock keeps. ${grouped(spent)} of them have hit as often as they could. Remove those you do not need: DELETE /faults/{id}, or DELETE /faults for all.`;
  return new ControlError(409, 'TOO_MANY_FAULTS', message, { limit: maxFaults, spent });
}

const isOf = <E extends Effect>(fault: Fault, effects: readonly E[]): fault is FaultOf<E> =>
  (effects as readonly Effect[]).includes(fault.effect);

function fits(fault: Fault, aim: Aim): boolean {
  return (
    (fault.operation === undefined || fault.operation === aim.operation) &&
    (fault.action === undefined || fault.action === aim.action) &&
    (fault.resource === undefined || fault.resource === aim.resource) &&
    (fault.key === undefined || fault.key === aim.key) &&
    (fault.effect !== 'respond' || fault.undeclared || declares(aim.operation, fault.status))
  );
}

function view({ id, fault, seen, hits }: Armed): ArmedFault {
  const key = fault.key === undefined ? {} : { key: maskKey(fault.key) };
  return { id, ...fault, ...key, seen, remaining: fault.times - hits.length, hits: hits.slice() };
}
