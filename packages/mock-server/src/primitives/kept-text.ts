import { detach } from './platform.ts';

/* Texts from clients, as they are kept for longer than a request. */

/** Longer than any path, key or name of the contract; longer texts are made up. */
const maxLength = 200;

/** A text from a client as the log keeps it: whole, unless it is long. */
export function truncate(text: string): string;
export function truncate(text: string | undefined): string | undefined;
export function truncate(text: string | undefined): string | undefined {
  return text === undefined || text.length <= maxLength ? text : `${detach(text.slice(0, maxLength))}…`;
}
