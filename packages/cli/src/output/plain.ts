/** Control characters, among them the escapes that move a cursor, and the marks that turn text around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Text of the organization's, safe to show on a terminal: what others wrote must not steer it. */
export function plain(text: string): string {
  return text.replace(unprintable, '\ufffd');
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plain(text.replace(/\r?\n|\r|\t/g, ' '));
}
