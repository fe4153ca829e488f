import type { PlaceRequest } from '@orgchat/sdk';

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

/** Returns the numbers of a request as an engine can count with them. A limit or a timeout may be infinite. */
export function boundRequest({ perMinute, holdMs, maxWaitMs }: PlaceRequest) {
  return {
    perWindow: Math.floor(Math.min(perMinute, mostPlaces)),
    holdMs: Math.ceil(Math.min(holdMs, lineIdleMs / 2)),
    maxWaitMs: maxWaitMs === Infinity ? undefined : maxWaitMs,
  };
}
