import { after, type Patience, type Stop } from './deadline.ts';

/** A little more than the minute the server counts, for the way between here and there. */
const windowMs = 60_250;

/** Lets at most so many requests pass in any minute, first come first served: each has its moment when it comes. */
export interface Pacer {
  /** Passes or fails at once, or resolves when the moment has come or the call has ended before. */
  take(perMinute: number, patience: Patience): undefined | Stop | Promise<Stop | undefined>;
}

function newPacer(): Pacer {
  /** The moments of the last minute and of those that wait, in order. */
  const moments: number[] = [];
  return {
    take(perMinute, patience) {
      const now = performance.now();
      while ((moments[0] ?? now) <= now - windowMs) moments.shift();
      // Out of the window must be the one that many before; and nobody overtakes.
      const before = moments[Math.ceil(moments.length - perMinute)] ?? -windowMs;
      const moment = Math.max(now, before + windowMs, moments.at(-1) ?? now);
      if (moment > patience.endsAt) {
        return { code: 'DEADLINE_EXCEEDED', retryAt: after(moment - now) };
      }
      moments.push(moment);
      if (moment <= now) return undefined;
      return patience.sleep(moment - now).then((stop) => {
        // Who does not go takes no place.
        if (stop) moments.splice(moments.lastIndexOf(moment), 1);
        return stop;
      });
    },
  };
}

const pacers = new Map<string, Pacer>();

/** The pacer all clients of this process with this base URL and key share. */
export function pacerFor(name: string): Pacer {
  const pacer = pacers.get(name) ?? newPacer();
  pacers.set(name, pacer);
  return pacer;
}
