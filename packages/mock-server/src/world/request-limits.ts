import { limits } from '@orgchat/spec';

const { rateWindowMs: windowMs } = limits;

/** The times of the counted requests of one key, oldest first; times before `head` have left the window. */
interface Window {
  times: number[];
  head: number;
}

/** Limits the requests per key in any window of a minute (clause 8.1, D80). */
export class RateLimiter {
  /** Undefined means no limit. It may change at any time; requests of the last minute then count for the new number. */
  perMinute: number | undefined;
  readonly #windows = new Map<string, Window>();

  constructor(perMinute: number | undefined) {
    this.perMinute = perMinute;
  }

  fork(): RateLimiter {
    const limiter = new RateLimiter(this.perMinute);
    for (const [key, times] of this.entries()) limiter.load(key, times);
    return limiter;
  }

  /** Milliseconds until the next request of this key is accepted; 0 if it is accepted now. */
  getWaitMs(key: string, now: number): number {
    if (this.perMinute === undefined) return 0;
    const window = this.#windows.get(key);
    if (window === undefined) return this.perMinute > 0 ? 0 : windowMs;
    const { times } = window;
    // If the clock was set back, requests that are now in the future do not count.
    while (times.length > window.head && times[times.length - 1]! > now) times.pop();
    while (window.head < times.length && times[window.head]! + windowMs <= now) window.head++;
    if (window.head > 1024 && window.head * 2 > times.length) {
      times.splice(0, window.head);
      window.head = 0;
    }
    if (times.length - window.head < this.perMinute) return 0;
    const first = times[times.length - this.perMinute];
    return first === undefined ? windowMs : first + windowMs - now;
  }

  /** Counts a request that was accepted. */
  count(key: string, now: number): void {
    if (this.perMinute === undefined) return;
    const window = this.#windows.get(key);
    if (window === undefined) this.#windows.set(key, { times: [now], head: 0 });
    else window.times.push(now);
  }

  /** The times of the counted requests of a key, oldest first. */
  getTimes(key: string): readonly number[] {
    const window = this.#windows.get(key);
    return window === undefined ? [] : window.times.slice(window.head);
  }

  /** The time of the last counted request of a key; undefined if none was. */
  getLastTime(key: string): number | undefined {
    return this.perMinute === undefined ? undefined : this.#windows.get(key)?.times.at(-1);
  }

  /** The times of the counted requests of each key, oldest first. */
  *entries(): Generator<readonly [key: string, times: readonly number[]]> {
    for (const [key, { times, head }] of this.#windows) yield [key, times.slice(head)];
  }

  load(key: string, times: readonly number[]): void {
    this.#windows.set(key, { times: times.slice(), head: 0 });
  }
}

/** Counts a request as `RateLimiter` does, in the times of a key. */
function countTime(times: number[], time: number): void {
  while (times.length > 0 && times[times.length - 1]! > time) times.pop();
  times.push(time);
  if (times[0]! + windowMs > time) return;
  const first = times.findIndex((one) => one + windowMs > time);
  times.splice(0, first);
}

/** Counts requests in the times of each key. */
export function addTimes(all: Map<string, number[]>, key: string, added: readonly number[]): void {
  const times = all.get(key) ?? [];
  all.set(key, times);
  for (const time of added) countTime(times, time);
}

/** Requests per month: the plan's number, another number, or not limited. */
export type MonthlyLimit = number | 'plan' | 'off';

/**
 * The monthly limit of an organization: the number that is enforced, and the number that `/me` reports. `setting` is the
 * option `monthlyLimit` of the mock (clause 8.2, D34).
 */
export function getMonthlyLimit(
  setting: MonthlyLimit,
  plan: { readonly monthlyRequests: number } | undefined,
): { readonly enforced: number; readonly reported: number } {
  const ofPlan = plan?.monthlyRequests ?? 0;
  if (setting === 'off') return { enforced: Number.POSITIVE_INFINITY, reported: ofPlan };
  const number = setting === 'plan' ? ofPlan : setting;
  return { enforced: number, reported: number };
}
