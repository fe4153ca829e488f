import type { ForkableMap } from '../primitives/forkable-map.ts';
import { sha256 } from '../primitives/platform.ts';
import {
  type Event,
  lifecycle,
  type Operation,
  type Resolution,
  type StoredAnswer,
  type Verdict,
} from './lifecycle.ts';

/**
 * The canonical form of an input, for comparison. Parsing sorts fields by the schema, trims text and lowercases UUIDs, so
 * the JSON of a parsed change is canonical; long inputs are replaced by their digest.
 */
export function canonicalInput(change: unknown): string {
  const json = JSON.stringify(change);
  return json.length <= 200 ? json : sha256(json);
}

/** How a request is answered, and the operation of its operationId. */
export interface OperationVerdict {
  readonly verdict: Extract<Verdict, 'proceed' | 'replay' | 'conflict' | 'uncertain'>;
  readonly operation: Operation | undefined;
}

type StoredOperations = ForkableMap<Operation>;
type Write = (operationId: string, operation: Operation | undefined) => void;

/** An operation before it is applied. */
export type NewOperation = Pick<Operation, 'operationId' | 'input' | 'action' | 'requestId' | 'createdAt'>;

/** Creates an operation in a state. Every field is set, so that all operations share one hidden class. */
const createOperation = (
  { operationId, input, action, requestId, createdAt }: NewOperation,
  state: Operation['state'],
  answer?: StoredAnswer,
  resolution?: Resolution,
): Operation => ({ state, operationId, input, action, requestId, createdAt, answer, resolution });

/** Moves the operations of one organization through the lifecycle. `write` stores each new state. */
export class Operations {
  readonly #stored: StoredOperations;
  readonly #write: Write;

  constructor(stored: StoredOperations, write: Write) {
    this.#stored = stored;
    this.#write = write;
  }

  /** Decides how a request is answered. Changes nothing except an uncertain operation that is due to be resolved. */
  judgeRequest(operationId: string, input: string, now: number): OperationVerdict {
    const found = this.#stored.get(operationId);
    if (found === undefined) return proceed;
    const operation = this.#resolve(found, input, now);
    if (operation === undefined) return proceed;
    const event: Event = operation.input === input ? 'request' : 'other-input';
    const { verdict } = lifecycle[operation.state][event];
    return { verdict: verdict as OperationVerdict['verdict'], operation };
  }

  /** Marks a new operation as running. */
  start(operation: NewOperation): void {
    this.#write(operation.operationId, createOperation(operation, 'running'));
  }

  /** Marks an operation as applied; every later request gets the answer. */
  complete(operation: NewOperation, answer: StoredAnswer): void {
    this.#write(operation.operationId, createOperation(operation, 'applied', answer));
  }

  /** Frees the operationId of a refused change. */
  release(operationId: string): void {
    if (this.#stored.get(operationId) !== undefined) this.#write(operationId, undefined);
  }

  /** Remembers a refused change: its operationId may be used for the same input only. */
  rememberRefusal(operation: NewOperation): void {
    this.#write(operation.operationId, createOperation(operation, 'refused'));
  }

  /** Marks an operation as uncertain. With an answer, the change was applied. */
  markUncertain(operation: NewOperation, answer: StoredAnswer | undefined, resolution: Resolution): void {
    this.#write(operation.operationId, createOperation(operation, 'uncertain', answer, resolution));
  }

  /** Resolves an uncertain operation that is due; otherwise counts this request toward its resolution. */
  #resolve(operation: Operation, input: string, now: number): Operation | undefined {
    const { resolution, answer } = operation;
    // Only an uncertain operation has a resolution.
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

const proceed: OperationVerdict = { verdict: 'proceed', operation: undefined };
