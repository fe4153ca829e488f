interface Subscription {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const subscriptions = new WeakMap<AbortSignal, Subscription>();

/**
 * Calls back when a signal is aborted, until the returned function is called. However many calls share a signal, it has
 * one listener of this package: Node warns of a leak at the eleventh.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let subscription = subscriptions.get(signal);
  if (!subscription) {
    const callbacks = new Set<() => void>();
    const listener = (): void => {
      for (const call of [...callbacks]) call();
    };
    subscription = { callbacks, listener };
    subscriptions.set(signal, subscription);
    signal.addEventListener('abort', listener);
  }
  const { callbacks, listener } = subscription;
  callbacks.add(callback);
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return;
    signal.removeEventListener('abort', listener);
    subscriptions.delete(signal);
  };
}
