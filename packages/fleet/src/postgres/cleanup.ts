import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from './engine.ts';

/** Statements that are still to be executed because an earlier one failed. */
export interface Cleanup {
  /** Adds a statement, and tries it in the background. */
  add(text: string, values: readonly unknown[]): void;
  /** Executes what is left. Every call of the store does so first, so that it never sees what was to be undone. */
  flush(): Promise<void>;
}

/** How long to wait between two tries in the background, in milliseconds. */
const againMs = 5_000;

export function createCleanup(engine: Engine): Cleanup {
  const left: (readonly [text: string, values: readonly unknown[]])[] = [];
  let flushing: Promise<void> | undefined;
  let isWaiting = false;

  async function executeAll(): Promise<void> {
    for (let next = left[0]; next; next = left[0]) {
      await engine.run(...next);
      left.shift();
    }
  }

  function flush(): Promise<void> {
    if (left.length === 0) return Promise.resolve();
    flushing ??= executeAll().finally(() => {
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
    add(text, values) {
      left.push([text, values]);
      void flushInBackground();
    },
    flush,
  };
}
