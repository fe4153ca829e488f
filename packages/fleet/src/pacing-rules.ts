import type { PlaceRequest, SharedPacing } from '@orgchat/sdk';
import { requireKnown, requirePositive } from './options.ts';

/* What the pacing decides by, in every engine. All times are in milliseconds. */

/** How long a request counts after its answer: the minute of the server, and a second of slack. */
export const minuteMs = 61_000;

/** How long a store has for an answer: a little less than the SDK waits for it. */
export const storeTimeoutMs = 1_900;

/** How long a place stays in line after the moment when it should be asked about again. */
export const slackMs = 3_000;

/** The longest pause between two questions about a place; a tenth of the wait, if that is longer. */
export const pauseMs = 5_000;

/** The shortest pause. If only those ahead keep a place from its turn, it is as long for each of them. */
export const shortestPauseMs = 50;

/** After this a line that nobody uses may be forgotten. No place counts for as long. */
export const lineIdleMs = 86_400_000;

/** More than any server allows, and little enough for the integers of every engine. */
const mostPlaces = 1_000_000;

/** A shared pacing that can be asked how long its lines are. */
export interface StoredPacing extends SharedPacing {
  /**
   * Counts the requests in all lines of this store: those of every API key and process.
   *
   * @example
   * const { waiting, waitMs = 0 } = await postgresPacing(pool).stats({ perMinute: 60 });
   * if (waitMs > 120_000) console.error(`${waiting} requests wait, the next one for ${waitMs / 1_000} s`);
   */
  stats(options?: PacingStatsOptions): Promise<PacingStats>;
}

/**
 * Options of `stats` of a pacing.
 *
 * @example
 * const options: PacingStatsOptions = { perMinute: 60 };
 * console.log((await postgresPacing(pool).stats(options)).waitMs);
 */
export interface PacingStatsOptions {
  /** The limit that `waitMs` is counted by. Default: that of the last request of this object. */
  readonly perMinute?: number | undefined;
}

/** What the lines of a pacing have now. */
export interface PacingStats {
  /** Lines that have a request: one per base URL and API key. */
  readonly lines: number;
  /** Requests that wait for their turn. */
  readonly waiting: number;
  /** Requests that count for the limit: sent, or answered less than a minute ago. */
  readonly inUse: number;
  /**
   * How long a request would wait in the slowest line if it came now, in milliseconds. Undefined if no limit is known.
   */
  readonly waitMs: number | undefined;
}

/** Reads the options of `stats`. `last` is the limit of the last request. Returns undefined if no limit is known. */
export function readStatsLimit(options: PacingStatsOptions, last: number | undefined): number | undefined {
  requireKnown(options, ['perMinute'], 'stats()');
  const { perMinute } = options;
  const limit = perMinute === undefined ? last : requirePositive(perMinute, 'perMinute');
  return limit && Math.max(1, Math.floor(Math.min(limit, mostPlaces)));
}

/** Returns the numbers of a request as an engine can count with them. A limit or a timeout may be infinite. */
export function boundRequest({ perMinute, holdMs, maxWaitMs }: PlaceRequest) {
  return {
    perWindow: Math.floor(Math.min(perMinute, mostPlaces)),
    holdMs: Math.ceil(Math.min(holdMs, lineIdleMs / 2)),
    maxWaitMs: maxWaitMs === Infinity ? undefined : maxWaitMs,
  };
}
