import { sha256 } from './digest.ts';

const markLength = 24;

/**
 * Studio's cursors: the place after which a page begins, and a mark that only the mock can make for that place in
 * that list. One that was changed, or is used on another list, is not opened (D89).
 */
export function sealCursor(secret: string, list: string, place: string): string {
  return place + mark(secret, list, place);
}

/** The place a cursor stands for; undefined where it was not issued for this list. */
export function openCursor(secret: string, list: string, cursor: string): string | undefined {
  const place = cursor.slice(0, -markLength);
  return place !== '' && sealCursor(secret, list, place) === cursor ? place : undefined;
}

const mark = (secret: string, list: string, place: string): string =>
  sha256(JSON.stringify([secret, list, place])).slice(0, markLength);
