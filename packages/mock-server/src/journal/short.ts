/** Longer than any path, key or name of the contract; what is longer was made up. */
const shown = 200;

/** The text in memory of its own: a piece of a text keeps the whole of it. */
export const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/** What a journal keeps of a text that anybody may have sent: all of it, unless it is long. */
export function short(text: string): string;
export function short(text: string | undefined): string | undefined;
export function short(text: string | undefined): string | undefined {
  return text === undefined || text.length <= shown ? text : `${copyOf(text.slice(0, shown))}…`;
}
