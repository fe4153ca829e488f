import { rateWindowMs } from '../generated/limits.ts';
import { type CallEnd, createNoSlotEnd, type Deadline } from './deadline.ts';

/** A little more than the server counts, to allow for network delays. */
const windowMs = rateWindowMs + 250;

/** Limits the number of requests in any minute, first come, first served. */
export interface RateLimiter {
  /**
   * Returns how long a new request would wait for its slot, in milliseconds, if `ahead` more requests were queued before
   * it. With -1, the remaining wait of the last request that is already queued.
   */
  delay(perMinute: number, ahead?: number): number;
  /** Returns how many slots this limiter gave out, also to calls that ended before their slot was free. */
  acquired(): number;
  /** Acquires a slot. Returns undefined if it is free now, or why the call ends; otherwise resolves when it is free. */
  acquire(perMinute: number, deadline: Deadline): undefined | CallEnd | Promise<CallEnd | undefined>;
  /** Gives out no slot for this long, in milliseconds: the server said that the limit is reached. */
  pause(ms: number): void;
}

/** The times of the requests of a rate limiter in the last minute and of those that wait, in order. */
interface Moments extends Array<number> {
  /** No slot is given out before. */
  pausedUntil?: number;
}

const momentsByName = new Map<string, Moments>();
let lastNow = 0;

/**
 * Removes rate limiters that were idle for the whole window. Each request checks them until it finds two that are in
 * use, which move to the end, so that no request checks all of them.
 */
function forgetIdle(now: number): void {
  let inUse = 0;
  for (const [name, moments] of momentsByName) {
    momentsByName.delete(name);
    const isPaused = (moments.pausedUntil ?? now) > now;
    if (!isPaused && (moments.at(-1) ?? -Infinity) <= now - windowMs) continue;
    momentsByName.set(name, moments);
    if (++inUse === 2) return;
  }
}

function getMoments(name: string, now: number): Moments {
  // A clock that goes back was replaced by a test, so earlier times mean nothing.
  if (now < lastNow) momentsByName.clear();
  lastNow = now;
  forgetIdle(now);
  const moments = momentsByName.get(name) ?? [];
  momentsByName.set(name, moments);
  while ((moments[0] ?? now) <= now - windowMs) moments.shift();
  return moments;
}

/** Returns when a request may be sent if `ahead` more are queued before it. `ahead` must be below `perMinute`. */
function findNextMoment(moments: Readonly<Moments>, perMinute: number, now: number, ahead = 0): number {
  // The request `perMinute` places before it must have left the window. Requests keep their order.
  const before = moments[Math.ceil(moments.length - perMinute) + ahead] ?? -windowMs;
  return Math.max(now, before + windowMs, moments.at(-1) ?? now, moments.pausedUntil ?? now);
}

/** Returns the number of rate limiters in memory, for tests. */
export const countRateLimiters = (): number => momentsByName.size;

/** Returns the rate limiter that all clients of this process with this name share. `name` must not be a key. */
export function getRateLimiter(name: () => string): RateLimiter {
  let acquired = 0;
  return {
    acquired: () => acquired,
    delay(perMinute, ahead = 0) {
      const now = performance.now();
      const moments = getMoments(name(), now);
      if (ahead < 0) return Math.max(0, (moments.at(-1) ?? now) - now);
      // After as many requests as fit into a window, the same moments come again, one window later.
      const windows = Math.floor(ahead / perMinute);
      const moment = findNextMoment(moments, perMinute, now, ahead - windows * perMinute);
      return moment - now + (windows > 0 ? windows * windowMs : 0);
    },
    pause(ms) {
      const now = performance.now();
      const moments = getMoments(name(), now);
      moments.pausedUntil = Math.max(now + ms, moments.pausedUntil ?? now);
    },
    acquire(perMinute, deadline) {
      const now = performance.now();
      const moments = getMoments(name(), now);
      const moment = findNextMoment(moments, perMinute, now);
      if (deadline.coversPacing && moment > now && moment >= deadline.endsAt) {
        return createNoSlotEnd('pacing', perMinute, moment - now, deadline.startedAt);
      }
      moments.push(moment);
      acquired++;
      if (moment <= now) return undefined;
      return deadline.sleepForPacing(moment - now).then((callEnd) => {
        // A call that ended does not use its slot.
        const index = callEnd ? moments.lastIndexOf(moment) : -1;
        if (index >= 0) moments.splice(index, 1);
        return callEnd;
      });
    },
  };
}
