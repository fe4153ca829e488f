/*
 * Finds characters that can hide a part of a text or change how it is read: control characters, marks of direction, and
 * what has no glyph of its own.
 */

/** Scripts in which U+200C and U+200D, between letters, decide how these are joined. */
const joiningScripts = [
  ...[
    'Arabic',
    'Syriac',
    'Nko',
    'Mongolian',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Oriya',
    'Tamil',
  ],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Tibetan', 'Myanmar', 'Khmer', 'Balinese', 'Javanese'],
].map((script) => `\\p{Script=${script}}`);

const pictograph = '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]?\\p{Emoji_Modifier}?';

/** Invisible characters that are part of a visible one. */
const meaningful = [
  // Emoji, also several that are joined to one.
  `${pictograph}(?:\\u200d${pictograph})*`,
  // Keycaps.
  '[0-9#*]\\ufe0f\\u20e3',
  // The flags of England, Scotland and Wales: a black flag and a region in invisible letters.
  ...['gbeng', 'gbsct', 'gbwls'].map((region) => {
    const tags = [...region].map((letter) => `\\u{${(0xe0000 + letter.charCodeAt(0)).toString(16)}}`);
    return `\\u{1f3f4}${tags.join('')}\\u{e007f}`;
  }),
  // Variants of a Chinese character, and of a Mongolian letter.
  '\\p{Script=Han}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '\\p{Script=Mongolian}[\\u180b-\\u180d\\u180f]',
  `[${joiningScripts.join('')}][\\u200c\\u200d]`,
];

/**
 * Control characters (C0, C1), line and paragraph separators, halves of surrogate pairs, and what has no glyph of its
 * own: marks of direction, joiners, spaces of no width, variation selectors, tags, fillers.
 */
const unsafe = '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]';

const hasUnsafe = new RegExp(unsafe, 'u');
let parts: RegExp | undefined;

/** Longer flags come before their prefix. Created on first use, because most texts are safe. */
const getParts = (): RegExp => {
  parts ??= new RegExp(`${meaningful.toReversed().join('|')}|(${unsafe})`, 'gu');
  return parts;
};

/** What a text may have between its lines and columns. */
const layout = new Set(['\n', '\t']);

/** Whether a text has such a character, line breaks and tabs included. */
export const hasUnsafeCharacters = (text: string): boolean => hasUnsafe.test(text);

/**
 * Splits a text into what can be shown as it is and unsafe characters, in turn: the first, third and so on can be shown,
 * and are empty between two unsafe characters. Line breaks and tabs stay.
 */
export function splitUnsafe(text: string): readonly string[] {
  if (!hasUnsafe.test(text)) return [text];
  const pieces: string[] = [];
  let start = 0;
  for (const { index, 0: part, 1: found } of text.matchAll(getParts())) {
    if (found === undefined || layout.has(found)) continue;
    pieces.push(text.slice(start, index), found);
    start = index + part.length;
  }
  return [...pieces, text.slice(start)];
}

/** One UTF-16 unit as JSON, JavaScript and most languages write it. */
const unitEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A character as an escape: `\u200b`. */
export const toEscape = (character: string): string => character.split('').map(unitEscape).join('');

/** A text in which each unsafe character is replaced by what a function makes of it. */
export const replaceUnsafe = (text: string, replace: (character: string) => string = toEscape): string =>
  splitUnsafe(text)
    .map((piece, index) => (index % 2 === 0 ? piece : replace(piece)))
    .join('');
