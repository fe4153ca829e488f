import { sha256 } from '../store/digest.ts';

const signatureLength = 24;

/**
 * Creates a Studio cursor: the position after which a page begins, and a signature for that position in that list. A
 * cursor that was changed or belongs to another list is rejected (D89).
 */
export function signCursor(secret: string, list: string, place: string): string {
  return place + signature(secret, list, place);
}

/** The position of a cursor; undefined if the cursor was not issued for this list. */
export function verifyCursor(secret: string, list: string, cursor: string): string | undefined {
  const place = cursor.slice(0, -signatureLength);
  return place !== '' && signCursor(secret, list, place) === cursor ? place : undefined;
}

const signature = (secret: string, list: string, place: string): string =>
  sha256(JSON.stringify([secret, list, place])).slice(0, signatureLength);
