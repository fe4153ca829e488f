import type { Kind } from './classify.ts';
import type { OperationName } from './events.ts';

/** One call, as the pipeline sees it. */
export interface ApiRequest<T> {
  readonly operation: OperationName;
  readonly kind: Kind;
  readonly method: 'GET' | 'POST';
  /** Below the base URL, with nothing left to fill in. */
  readonly path: string;
  /** The action of a change or the resource of a read. */
  readonly subject?: string | undefined;
  /** Whether an answer is what the contract promises. */
  readonly isPromised: (answer: unknown) => answer is T;
}

/** A call that is recorded before it is sent. */
export interface WriteRequest<T> extends ApiRequest<T> {
  readonly kind: 'change' | 'keywords';
}
