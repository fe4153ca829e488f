import type { PlaceRequest } from '@orgchat/sdk';

/** After this a line that nobody uses may be forgotten, in milliseconds. No place counts for as long. */
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
