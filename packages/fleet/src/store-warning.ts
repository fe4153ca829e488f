/**
 * A warning of a store: it works, and cannot promise all that it usually does.
 *
 * - `LEASE_ONLY`: no session lock can show that a process is alive, so a dead one is noticed by its lease.
 * - `NOT_DURABLE`: the engine may lose entries in a crash or failover.
 * - `NOT_CHECKED`: a setting of the engine could not be read.
 */
export interface StoreWarning {
  readonly code: 'LEASE_ONLY' | 'NOT_DURABLE' | 'NOT_CHECKED';
  readonly message: string;
  /** Why, each as a clause without its period: for a message of your own. */
  readonly reasons: readonly string[];
}
