import { after, type Patience, type Stop } from './deadline.ts';

/** A little more than the minute the server counts, for the way between here and there. */
const windowMs = 60_250;

/** Lets at most so many requests pass in any minute, first come, first served: each has its moment when it comes. */
export interface Pacer {
  /** How long a request that came now would wait for its slot, in milliseconds. */
  delay(perMinute: number): number;
  /** Passes or fails at once, or resolves when the moment has come or the call has ended before. */
  take(perMinute: number, patience: Patience): undefined | Stop | Promise<Stop | undefined>;
}

/** By the name of a pacer, the moments of its last minute and of those that wait, in order. */
const momentsByName = new Map<string, number[]>();
let lastNow = 0;

/**
 * What is older than the window plays no part, so a pacer that was idle for that long is forgotten. Each request looks
 * at the idle ones until it meets two that are in use, which move to the end: nobody looks at all of them.
 */
function forgetIdle(now: number): void {
  let inUse = 0;
  for (const [name, moments] of momentsByName) {
    momentsByName.delete(name);
    if ((moments.at(-1) ?? -Infinity) <= now - windowMs) continue;
    momentsByName.set(name, moments);
    if (++inUse === 2) return;
  }
}

function momentsOf(name: string, now: number): number[] {
  // A clock that goes back was replaced by a test's: what was counted by the other one means nothing.
  if (now < lastNow) momentsByName.clear();
  lastNow = now;
  forgetIdle(now);
  const moments = momentsByName.get(name) ?? [];
  momentsByName.set(name, moments);
  while ((moments[0] ?? now) <= now - windowMs) moments.shift();
  return moments;
}

/** When the next request may pass. */
function nextMoment(moments: readonly number[], perMinute: number, now: number): number {
  // Out of the window must be the one that many before; and nobody overtakes.
  const before = moments[Math.ceil(moments.length - perMinute)] ?? -windowMs;
  return Math.max(now, before + windowMs, moments.at(-1) ?? now);
}

/** How many pacers are remembered, for tests. */
export const pacerCount = (): number => momentsByName.size;

/** The pacer all clients of this process with this name share. `name` must not be a key. */
export function pacerFor(name: () => string): Pacer {
  return {
    delay(perMinute) {
      const now = performance.now();
      return nextMoment(momentsOf(name(), now), perMinute, now) - now;
    },
    take(perMinute, patience) {
      const now = performance.now();
      const moments = momentsOf(name(), now);
      const moment = nextMoment(moments, perMinute, now);
      if (patience.coversPacing && moment > now && moment >= patience.endsAt) {
        const retryAt = after(moment - now);
        const enough = Math.ceil(moment - patience.startedAt);
        const detail = `The pacing of ${perMinute} requests per minute has its next free slot at ${retryAt.toISOString()}, after the deadline. Raise timeoutMs above ${enough}, leave it out (the default does not count waits for the pacing), or raise pacing.perMinute if the key allows more.`;
        return { code: 'DEADLINE_EXCEEDED', retryAt, waitingFor: 'pacing', detail };
      }
      moments.push(moment);
      if (moment <= now) return undefined;
      return patience.sleepForPacing(moment - now).then((stop) => {
        // Who does not go takes no place.
        const place = stop ? moments.lastIndexOf(moment) : -1;
        if (place >= 0) moments.splice(place, 1);
        return stop;
      });
    },
  };
}
