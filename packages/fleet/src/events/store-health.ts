import { FleetError, type FleetErrorCode } from '../fleet-error.ts';
import { emitFleetEvent, type StoreName } from './fleet-events.ts';

/** Knows whether the calls of a store succeed, and reports when that changes. */
export interface StoreHealth {
  /** `call` is what was executed: a statement or script. */
  succeeded(call: unknown): void;
  failed(call: unknown, error: unknown): void;
}

/** Errors that say something about the engine, and not about one call. */
const whileDown: readonly FleetErrorCode[] = [
  'STORE_CREDENTIALS',
  'STORE_EVICTION',
  'STORE_FULL',
  'STORE_READ_ONLY',
  'STORE_UNAVAILABLE',
];
/** An engine that refuses these still executes others: it can be read. */
const whileReadable: readonly FleetErrorCode[] = ['STORE_FULL', 'STORE_READ_ONLY'];

/** By pool or client: the journals of many organizations in one engine are one store that is down. */
const known = new WeakMap<object, Map<StoreName, StoreHealth>>();

/** Returns the health of a store in the engine of a pool or client. */
export function getStoreHealth(engine: object, store: StoreName): StoreHealth {
  const stores = known.get(engine) ?? new Map<StoreName, StoreHealth>();
  known.set(engine, stores);
  const health = stores.get(store) ?? createStoreHealth(store);
  stores.set(store, health);
  return health;
}

function createStoreHealth(store: StoreName): StoreHealth {
  /** What has to succeed before the store is up again: a certain call, or any. */
  let down: { readonly until?: unknown } | undefined;
  return {
    succeeded(call) {
      if (down === undefined || (down.until !== undefined && down.until !== call)) return;
      down = undefined;
      emitFleetEvent('store-up', store);
    },
    failed(call, error) {
      if (down !== undefined || !(error instanceof FleetError) || !whileDown.includes(error.code)) return;
      down = whileReadable.includes(error.code) ? { until: call } : {};
      emitFleetEvent('store-down', store);
    },
  };
}
