import type { LimitsPatch } from '../generated/public-types.ts';
import type { Limits } from '../mock-interface.ts';
import type { World } from '../world/world.ts';

/** The limits of a world. */
export const readLimits = ({ limiter, monthlyLimit, historySize }: World): Limits => ({
  rateLimit: limiter.perMinute ?? 'off',
  monthlyLimit,
  history: historySize,
});

/** Changes the limits of a world, effective with its next request. Returns all limits. */
export function setLimits(world: World, { rateLimit, monthlyLimit, history }: LimitsPatch): Limits {
  if (rateLimit !== undefined) world.limiter.perMinute = rateLimit === 'off' ? undefined : rateLimit;
  if (monthlyLimit !== undefined) world.monthlyLimit = monthlyLimit;
  if (history !== undefined) world.historySize = history;
  return readLimits(world);
}
