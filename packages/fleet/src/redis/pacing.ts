import type { PlaceAnswer, SharedPacing } from '@orgchat/sdk';
import { requireKnown } from '../options.ts';
import { boundRequest, minuteMs, storeTimeoutMs } from '../pacing-rules.ts';
import type { RedisClient } from './driver.ts';
import type { PrefixOptions } from './journal.ts';
import { lineKeys, pacingScripts as scripts } from './pacing-script.ts';
import { createScriptRunner } from './script-runner.ts';

/**
 * Options of `redisPacing`.
 *
 * @example
 * const options: RedisPacingOptions = { prefix: 'orgchat_staging' };
 * createClient({ pacing: { shared: redisPacing(client, options) } });
 */
export interface RedisPacingOptions extends PrefixOptions {}

/**
 * Paces the requests of any number of processes together, in Redis 7 or later: first come, first served, and never more
 * than `perMinute` in any minute. `client` is that of ioredis, or a connected one of node-redis.
 *
 * Each decision is one round trip. A request counts from the moment it may be sent until a minute after its answer.
 *
 * @example
 * const orgchat = createClient({ pacing: { perMinute: 60, shared: redisPacing(client) } });
 * await orgchat.account();
 */
export function redisPacing(client: RedisClient, options: RedisPacingOptions = {}): SharedPacing {
  return createRedisPacing(client, options, minuteMs);
}

/** The same with a window of another length, in milliseconds, for tests. */
export function createRedisPacing(
  client: RedisClient,
  options: RedisPacingOptions,
  windowMs: number,
): SharedPacing {
  requireKnown(options, ['prefix'], 'redisPacing()');
  const runner = createScriptRunner(client, {
    what: 'The Redis pacing',
    store: 'redisPacing',
    prefix: options.prefix,
    timeoutMs: storeTimeoutMs,
  });
  const toKeys = (line: string): string[] => lineKeys.map((key) => `${runner.prefix}pacing:${line}:${key}`);
  return {
    async reserve(request) {
      const { perWindow, maxWaitMs, holdMs } = boundRequest(request);
      const args = [request.place, perWindow, maxWaitMs ?? '', holdMs, windowMs];
      const answer = await runner.run(scripts.reserve, toKeys(request.line), args);
      const [state, waitMs, askAgainMs] = answer as [PlaceAnswer['state'], number, number];
      return { state, waitMs, askAgainMs };
    },
    async release({ line, place, isUnused, retryAfterMs = 0 }) {
      await runner.run(scripts.release, toKeys(line), [
        place,
        isUnused ? 1 : 0,
        windowMs,
        Math.ceil(retryAfterMs),
      ]);
    },
  };
}
