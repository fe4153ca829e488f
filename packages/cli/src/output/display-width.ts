import stringWidth from 'string-width';

const ascii = /^[\x20-\x7e]*$/;

/** Number of columns of a text on a terminal. */
export const displayWidth = (text: string): number => stringWidth(text, { countAnsiEscapeCodes: true });

export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));

let segmenter: Intl.Segmenter | undefined;

/** What a person sees as the characters of a text: an emoji of several parts is one. */
function* characters(text: string): Generator<string> {
  if (ascii.test(text)) return yield* text;
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** Truncates a text to `width` columns with `…`. No character is split. */
export function truncate(text: string, width: number): string {
  if (text.length <= width && ascii.test(text)) return text;
  let kept = '';
  let used = 0;
  for (const character of characters(text)) {
    const next = used + displayWidth(character);
    // The last character may take the place that the sign would need.
    if (next > width) return `${shortened(kept, width - 1)}…`;
    kept += character;
    used = next;
  }
  return text;
}

function shortened(text: string, width: number): string {
  const all = [...characters(text)];
  while (all.length > 0 && displayWidth(all.join('')) > width) all.pop();
  return all.join('');
}
