interface Listening {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const listening = new WeakMap<AbortSignal, Listening>();

/**
 * Calls back when a signal is aborted, until the returned function is called. However many calls share a signal, it has
 * one listener of this package: Node warns of a leak at the eleventh.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let ours = listening.get(signal);
  if (!ours) {
    const callbacks = new Set<() => void>();
    const listener = (): void => {
      for (const call of [...callbacks]) call();
    };
    ours = { callbacks, listener };
    listening.set(signal, ours);
    signal.addEventListener('abort', listener);
  }
  const { callbacks, listener } = ours;
  callbacks.add(callback);
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return;
    signal.removeEventListener('abort', listener);
    listening.delete(signal);
  };
}
