/** Characters that take two columns: East Asian wide ones and what is shown as emoji. */
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** Characters that take none: marks that join the one before. */
const joining = /\p{M}|\u200d|\ufe0e|\ufe0f/u;

const ascii = /^[\x20-\x7e]*$/;

/** Columns a text takes on a terminal. */
export function displayWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += joining.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));

/** At most so many columns, with a sign that something was left out. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let taken = '';
  let used = 1;
  for (const character of text) {
    used += displayWidth(character);
    if (used > width) break;
    taken += character;
  }
  return `${taken}…`;
}
