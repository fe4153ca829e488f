import { detach, sha256 } from './platform.ts';

/* Texts from clients, as they are kept for longer than a request. */

/** Longer than any path, key or name of the contract; longer texts are made up. */
const maxLength = 200;

/** A text from a client as the log keeps it: whole, unless it is long. */
export function truncate(text: string): string;
export function truncate(text: string | undefined): string | undefined;
export function truncate(text: string | undefined): string | undefined {
  return text === undefined || text.length <= maxLength ? text : `${detach(text.slice(0, maxLength))}…`;
}

/** A text from a client as the log keeps and compares it: a long one has its digest, so that no two texts become the same. */
export const abbreviate = (text: string): string =>
  text.length <= maxLength ? text : `${truncate(text)}${sha256(text).slice(0, 16)}`;
