import { sha256 } from '../digest.ts';
import type { Keyed } from '../store/keyed.ts';
import {
  type Event,
  lifecycle,
  type Operation,
  type Resolution,
  type StoredAnswer,
  type Verdict,
} from './lifecycle.ts';

/**
 * The input of an operation in the form it is compared in. Parsing puts fields into the order of their schema,
 * trims and lowers what is to be, so JSON of the parsed change is canonical; long ones are kept as a digest.
 */
export function canonicalInput(change: unknown): string {
  const json = JSON.stringify(change);
  return json.length <= 200 ? json : sha256(json);
}

/** What became of a request, and of the operation it names. */
export interface Asked {
  readonly verdict: Extract<Verdict, 'proceed' | 'replay' | 'conflict' | 'uncertain'>;
  readonly operation: Operation | undefined;
}

type Kept = Keyed<Operation>;
type Write = (operationId: string, operation: Operation | undefined) => void;

/** What is known of an operation before it is applied. */
export type Begun = Pick<Operation, 'operationId' | 'input' | 'action' | 'requestId' | 'createdAt'>;

/** The same in a state; every field is written out, so that all operations have one shape. */
const inState = (
  { operationId, input, action, requestId, createdAt }: Begun,
  state: Operation['state'],
  answer?: StoredAnswer,
  resolution?: Resolution,
): Operation => ({ state, operationId, input, action, requestId, createdAt, answer, resolution });

/** Moves the operations of one organization through their table. `write` stores each new state. */
export class Operations {
  readonly #kept: Kept;
  readonly #write: Write;

  constructor(kept: Kept, write: Write) {
    this.#kept = kept;
    this.#write = write;
  }

  /** What the request of an input gets. It changes nothing but what is due to be resolved. */
  ask(operationId: string, input: string, now: number): Asked {
    const found = this.#kept.get(operationId);
    if (found === undefined) return fresh;
    const operation = this.#resolve(found, input, now);
    if (operation === undefined) return fresh;
    const event: Event = operation.input === input ? 'request' : 'other-input';
    const { verdict } = lifecycle[operation.state][event];
    return { verdict: verdict as Asked['verdict'], operation };
  }

  /** A fresh operation begins to run. */
  begin(operation: Begun): void {
    this.#write(operation.operationId, inState(operation, 'running'));
  }

  /** The change is applied; the answer is what every later request gets. */
  apply(operation: Begun, answer: StoredAnswer): void {
    this.#write(operation.operationId, inState(operation, 'applied', answer));
  }

  /** The change was refused: its operationId is free again. */
  refuse(operationId: string): void {
    if (this.#kept.get(operationId) !== undefined) this.#write(operationId, undefined);
  }

  /** The outcome is unknown from here on. With an answer, the change was applied all the same. */
  lose(operation: Begun, answer: StoredAnswer | undefined, resolution: Resolution): void {
    this.#write(operation.operationId, inState(operation, 'uncertain', answer, resolution));
  }

  /** Resolves an uncertain operation whose time has come, and counts this request toward it. */
  #resolve(operation: Operation, input: string, now: number): Operation | undefined {
    const { resolution, answer } = operation;
    // Only an uncertain one has a resolution.
    if (resolution === undefined || resolution === 'never') return operation;
    if ('at' in resolution ? now >= resolution.at : resolution.afterRequests <= 0) {
      const event: Event = answer === undefined ? 'find-unapplied' : 'find-applied';
      const { next } = lifecycle.uncertain[event];
      const resolved = next === 'free' ? undefined : { ...operation, state: next, resolution: undefined };
      this.#write(operation.operationId, resolved);
      return resolved;
    }
    if ('at' in resolution || operation.input !== input) return operation;
    const counted = { ...operation, resolution: { afterRequests: resolution.afterRequests - 1 } };
    this.#write(operation.operationId, counted);
    return counted;
  }
}

const fresh: Asked = { verdict: 'proceed', operation: undefined };
