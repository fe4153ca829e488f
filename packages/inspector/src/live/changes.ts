import type { ClockReading, RequestEntry } from '../control-api/types.ts';

/** What the mock reports, by the names of `GET /events`. */
export type ChangeName = 'request' | 'record' | 'operation' | 'fault' | 'clock' | 'sandbox' | 'gap';

export type Change =
  | { readonly name: 'request'; readonly data: RequestEntry }
  | { readonly name: 'clock'; readonly data: ClockReading }
  | { readonly name: Exclude<ChangeName, 'request' | 'clock'>; readonly data: unknown };

type Listener = (change: Change) => void;
const listeners = new Set<Listener>();

/** Calls a function for each change. Returns the function that ends it. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function publishChange(change: Change): void {
  for (const listener of listeners) listener(change);
}

/**
 * Calls a function when everything has to be read again: after the first connection, after a gap or a lost connection,
 * and after a reset. Returns the function that ends it.
 */
export function onResync(listener: () => void): () => void {
  resyncListeners.add(listener);
  return () => resyncListeners.delete(listener);
}
const resyncListeners = new Set<() => void>();

export function publishResync(): void {
  for (const listener of resyncListeners) listener();
}
