import type { Kind } from './classify.ts';
import type { Transport } from './core.ts';
import type { OperationName } from './events.ts';

/** What each attempt hands to openapi-fetch. */
export type Init = {
  readonly body: string;
  readonly parseAs: 'text';
  readonly signal: AbortSignal;
  readonly fetch: (request: Request) => Promise<Response>;
};

/** The part of openapi-fetch's answer that is used: the text of a 2xx, or the parsed body of an error. */
export interface Transported {
  readonly data?: string | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** One call, as the pipeline sees it. */
export interface ApiRequest<T> {
  readonly operation: OperationName;
  readonly kind: Kind;
  readonly method: 'GET' | 'POST';
  /** Below the base URL, for messages, events and the journal. */
  readonly path: string;
  /** The action of a change or the resource of a read. */
  readonly subject: string | undefined;
  readonly send: (transport: Transport, init: Init) => Promise<Transported>;
  /** Whether an answer is what the contract promises. */
  readonly isPromised: (answer: unknown) => answer is T;
}
