import type { Versions } from '../errors/base.ts';
import type { OperationName } from '../generated/endpoints.ts';
import type { CallOptions } from '../options/options.ts';
import type { Kind } from '../retry/classify.ts';
import type { FreshConnection, unrepeatable } from './fresh-connection.ts';

/** What a read shows of a change. */
export interface Effect {
  /** The result that the change would have, as far as it is shown. */
  readonly result: unknown;
  /** Whether the record is as the change would have made it. */
  readonly isShown: boolean;
}

/** What one call asks for, whatever its endpoint. */
export interface ApiRequest<T> {
  readonly endpoint: OperationName;
  readonly kind: Kind;
  readonly method: 'GET' | 'POST';
  /** Below the base URL, with nothing left to fill in. */
  readonly path: string;
  /** The action of a change or the resource of a read. */
  readonly subject?: string | undefined;
  /** Whether an answer is what the contract promises. */
  readonly matchesContract: (answer: unknown) => answer is T;
  /** Whether a promised answer says that the change is applied. Omitted if every answer does. */
  readonly isApplied?: ((answer: T) => boolean) | undefined;
  /**
   * Reads the record of a guarded change, once, and returns both versions if they prove that the change was stale.
   * It receives the body that was sent.
   */
  readonly findStaleVersions?:
    | ((body: string, options: CallOptions) => Promise<Versions | undefined>)
    | undefined;
  /**
   * Reads the record of a change whose id the server knows with other input. It receives the body that was sent.
   */
  readonly findEffect?: ((body: string, options: CallOptions) => Promise<Effect>) | undefined;
  /** Converts what is known of an applied change to an answer. */
  readonly toReplay?: ((result: unknown) => T) | undefined;
  /** Opens a connection for one attempt. Omitted if the attempt may use a connection that was left open. */
  readonly openConnection?: (() => FreshConnection) | undefined;
  /** Converts the body for a request that must not be repeated. It receives whether the connection is fresh. */
  readonly toUnrepeatable?: typeof unrepeatable;
}

/** A call that is recorded before it is sent. */
export interface WriteRequest<T> extends ApiRequest<T> {
  readonly kind: 'change' | 'keywords';
}
