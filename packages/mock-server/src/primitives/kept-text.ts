/* Texts from clients, as they are kept for longer than a request. */

/** Longer than any path, key or name of the contract; longer texts are made up. */
const maxLength = 200;

/** A copy of a text in memory of its own: a slice keeps the whole text in memory. */
export const detach = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/** A text from a client as the log keeps it: whole, unless it is long. */
export function truncate(text: string): string;
export function truncate(text: string | undefined): string | undefined;
export function truncate(text: string | undefined): string | undefined {
  return text === undefined || text.length <= maxLength ? text : `${detach(text.slice(0, maxLength))}…`;
}
