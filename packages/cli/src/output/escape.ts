/*
 * Escapes text for a terminal: it cannot move the cursor, change the reading direction or hide a part of itself.
 * Unsafe characters are shown as escapes such as \u001b.
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

/** One UTF-16 unit as JSON, JavaScript and most languages write it. */
const unitEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const escaped = (character: string): string => character.split('').map(unitEscape).join('');

function escapeUnsafe(text: string, escapeOne: (character: string) => string): string {
  if (!hasUnsafe.test(text)) return text;
  return text.replace(getParts(), (part: string, found: string | undefined) =>
    found === undefined || layout.has(found) ? part : escapeOne(found),
  );
}

/**
 * Escapes text of any number of lines. JSON keeps its value: these characters occur only in its strings, and the
 * escapes are those of JSON.
 */
export function escapeText(text: string): string {
  return escapeUnsafe(text.replaceAll('\r\n', '\n'), escaped);
}

/** Text that has to stay on one line, so that it cannot pass for a line of this program's own. */
export function escapeLine(text: string): string {
  return escapeText(text).replace(/[\n\t]/g, ' ');
}

/** A text in double quotes stays on one line, so that it cannot be mistaken for other lines. */
const oneLine = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };

/** YAML of the same value. Scalars with unsafe characters are put in double quotes, which alone have escapes. */
export async function escapeYaml(text: string): Promise<string> {
  if (escapeUnsafe(text, escaped) === text) return text;
  const { isScalar, parseDocument, visit } = await import('../yaml.ts');
  const document = parseDocument(text);
  visit(document, {
    Scalar(_key, node) {
      if (
        isScalar(node) &&
        typeof node.value === 'string' &&
        hasUnsafe.test(node.value.replace(/[\n\t]/g, ''))
      )
        node.type = 'QUOTE_DOUBLE';
    },
  });
  // YAML has escapes of a whole character; half a surrogate pair is none.
  return escapeUnsafe(document.toString(oneLine), (character) =>
    character.length === 1
      ? escaped(character)
      : `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  );
}
