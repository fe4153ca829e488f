import type { ClientContext } from '../client-context.ts';

/** Estimates how long the rest of a bulk run takes. */
export interface TimeLeft {
  /** Called when an item begins. Returns what to call when it has ended. */
  begin(): () => void;
  /** The time until the last item ends, in milliseconds. */
  estimate(waiting: number): number;
}

/**
 * Two things bound a run: the slots of the pacing, which are known in advance, and the time that an item takes when it
 * does not wait for a slot. The longer one counts.
 */
export function createTimeLeft(
  { rateLimiter, callOptions }: Pick<ClientContext, 'rateLimiter' | 'callOptions'>,
  concurrency: number,
): TimeLeft {
  const requestsBefore = rateLimiter?.acquired() ?? 0;
  /** The items in progress: when each began. */
  const begun = new Set<{ readonly at: number }>();
  let ended = 0;
  /** Items that did not wait for a slot, and the time they took. */
  let unpaced = 0;
  let unpacedMs = 0;

  /** If each item takes as long as those before: when the last one ends that the workers have and will have. */
  function estimateWork(waiting: number, itemMs: number): number {
    const now = performance.now();
    const freeAfterMs = Array.from(begun, ({ at }) => Math.max(0, itemMs - (now - at)));
    while (freeAfterMs.length < concurrency) freeAfterMs.push(0);
    freeAfterMs.sort((a, b) => a - b);
    const ends = freeAfterMs.map((ms, worker) => {
      const items = Math.floor(waiting / concurrency) + (worker < waiting % concurrency ? 1 : 0);
      return ms + items * itemMs;
    });
    return Math.max(...ends);
  }

  return {
    begin() {
      const item = { at: performance.now() };
      const isPaced = (rateLimiter?.delay(callOptions.perMinute) ?? 0) > 0;
      begun.add(item);
      return () => {
        begun.delete(item);
        ended++;
        if (isPaced) return;
        unpaced++;
        unpacedMs += performance.now() - item.at;
      };
    },
    estimate(waiting) {
      if (waiting + begun.size === 0) return 0;
      const itemMs = unpaced > 0 ? unpacedMs / unpaced : 0;
      const requests = (rateLimiter?.acquired() ?? 0) - requestsBefore;
      // The items in progress have sent, or hold a slot for, a part of their requests.
      const perItem = Math.max(1, requests / (ended + begun.size));
      const pacedMs = rateLimiter?.delay(callOptions.perMinute, Math.ceil(waiting * perItem) - 1) ?? 0;
      return Math.round(Math.max(estimateWork(waiting, itemMs), pacedMs + itemMs));
    },
  };
}
