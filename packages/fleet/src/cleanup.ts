import { setTimeout as sleep } from 'node:timers/promises';

/** What is still to be undone because an earlier call failed. */
export interface Cleanup {
  /** Adds something to undo, and tries it in the background. */
  add(undo: () => Promise<unknown>): void;
  /** Undoes what is left. Every call of the store does so first, so that it never sees what was to be undone. */
  flush(): Promise<void>;
}

/** How long to wait between two tries in the background, in milliseconds. */
const againMs = 1_000;

export function createCleanup(): Cleanup {
  const left: (() => Promise<unknown>)[] = [];
  let flushing: Promise<void> | undefined;
  let isWaiting = false;

  async function undoAll(): Promise<void> {
    for (let next = left[0]; next; next = left[0]) {
      await next();
      left.shift();
    }
  }

  function flush(): Promise<void> {
    if (left.length === 0) return Promise.resolve();
    flushing ??= undoAll().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  async function flushInBackground(): Promise<void> {
    if (isWaiting) return;
    isWaiting = true;
    while (left.length > 0) {
      await flush().catch(() => undefined);
      if (left.length > 0) await sleep(againMs, undefined, { ref: false });
    }
    isWaiting = false;
  }

  return {
    add(undo) {
      left.push(undo);
      void flushInBackground();
    },
    flush,
  };
}
