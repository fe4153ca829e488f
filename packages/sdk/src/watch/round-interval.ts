import type { ApiResponse } from '../results/call-promise.ts';
import type { Account } from '../types.ts';
import { getServerTime } from './listed-rows.ts';

/** The shortest default interval, in milliseconds. */
const leastMs = 60_000;
/** How much of what is left of the monthly quota quiet rounds may use, and of the requests per minute. */
const [monthShare, minuteShare] = [1 / 10, 1 / 5];

/** What is left of the limits of a key. */
export interface Budget {
  /** Requests that are left of the month. */
  readonly left: number;
  /** Milliseconds until the next month. */
  readonly monthMs: number;
  /** Requests per minute; may be infinite. */
  readonly perMinute: number;
}

/** Returns what is left by what an account says. A month is a calendar month in UTC (D34). */
export function toBudget(answer: ApiResponse<Account>, pacedPerMinute: number): Budget {
  const { used, limit, perMinute } = answer.data.api;
  const now = getServerTime(answer);
  const date = new Date(now);
  const monthMs = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - now;
  // A number is what the contract says. Without one, nothing is known to be used up.
  const left = Math.max(0, limit - used);
  return {
    left: left >= 0 ? left : Infinity,
    monthMs,
    perMinute: Math.min(perMinute || Infinity, pacedPerMinute),
  };
}

/** Returns the default interval of rounds that send so many requests if nothing changed, in milliseconds. */
export function getDefaultInterval({ left, monthMs, perMinute }: Budget, requests: number): number {
  const byMinute = (requests * 60_000) / (perMinute * minuteShare);
  const byMonth = left > 0 ? (requests * monthMs) / (left * monthShare) : monthMs;
  return Math.max(leastMs, Math.ceil(byMinute), Math.ceil(Math.min(byMonth, monthMs)));
}

const toPercent = (share: number): string => `${Math.ceil(share * 100)} %`;

/** Says what an interval costs that is shorter than the default one; undefined if it is not shorter. */
export function describeShortInterval(budget: Budget, requests: number, everyMs: number): string | undefined {
  const usualMs = getDefaultInterval(budget, requests);
  if (everyMs >= usualMs) return undefined;
  const { left, monthMs, perMinute } = budget;
  const perMonth = Math.ceil((requests * monthMs) / everyMs);
  const each = (requests * 60_000) / everyMs;
  const ofMonth = left < Infinity ? `, of ${left} that are left (${toPercent(perMonth / (left || 1))})` : '';
  const ofMinute = perMinute < Infinity ? ` of ${perMinute}` : '';
  return `A round every ${everyMs} ms sends ${perMonth} requests until the end of the month if nothing changes${ofMonth}, and ${Math.ceil(each * 10) / 10}${ofMinute} per minute. The default interval is ${usualMs} ms.`;
}
