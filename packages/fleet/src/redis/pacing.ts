import type { PlaceAnswer } from '@orgchat/sdk';
import { requireKnown } from '../options.ts';
import {
  boundRequest,
  minuteMs,
  readStatsLimit,
  type StoredPacing,
  storeTimeoutMs,
} from '../pacing-rules.ts';
import type { RedisClient } from './driver.ts';
import type { PrefixOptions } from './journal.ts';
import { lineKeys, linesKey, pacingScripts as scripts } from './pacing-script.ts';
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
export function redisPacing(client: RedisClient, options: RedisPacingOptions = {}): StoredPacing {
  return createRedisPacing(client, options, minuteMs);
}

/** Lines per script, so that none holds up the engine for long. */
const linesPerScript = 100;

/** The same with a window of another length, in milliseconds, for tests. */
export function createRedisPacing(
  client: RedisClient,
  options: RedisPacingOptions,
  windowMs: number,
): StoredPacing {
  requireKnown(options, ['prefix'], 'redisPacing()');
  const runner = createScriptRunner(client, {
    what: 'The Redis pacing',
    store: 'redisPacing',
    prefix: options.prefix,
    timeoutMs: storeTimeoutMs,
  });
  const toKeys = (line: string): string[] => lineKeys.map((key) => `${runner.prefix}pacing:${line}:${key}`);
  const allLines = `${runner.prefix}pacing:${linesKey}`;
  let lastLimit: number | undefined;
  return {
    async reserve(request) {
      const { perWindow, maxWaitMs, holdMs } = boundRequest(request);
      lastLimit = perWindow;
      const args = [request.place, perWindow, maxWaitMs ?? '', holdMs, windowMs];
      const answer = await runner.run(scripts.reserve, [...toKeys(request.line), allLines], args);
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
    async stats(given = {}) {
      const limit = readStatsLimit(given, lastLimit);
      let [lines, waiting, inUse, waitMs] = [0, 0, 0, 0];
      for (let from = 0; ; from += linesPerScript) {
        const args = [from, linesPerScript, limit ?? 1, windowMs];
        const counts = (await runner.run(scripts.stats, [allLines], args)) as number[];
        const [read = 0, some = 0, moreWaiting = 0, moreInUse = 0, longestMs = 0] = counts;
        lines += some;
        waiting += moreWaiting;
        inUse += moreInUse;
        waitMs = Math.max(waitMs, longestMs);
        if (read < linesPerScript)
          return { lines, waiting, inUse, waitMs: limit === undefined ? undefined : waitMs };
      }
    },
  };
}
