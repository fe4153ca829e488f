import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { escapeLine, escapeText, escapeYaml } from './escape.ts';

/** One of each kind that must never reach a terminal. */
const unsafe = {
  'an escape sequence': '\u001b[2K',
  'a carriage return': 'a\rb',
  'a bell': '\u0007',
  delete: '\u007f',
  'a control sequence introducer of C1': '\u009b2J',
  'a command of C1': '\u009d52;c;cHduZWQ=\u009c',
  'a next line of C1': '\u0085',
  'an override of direction': '\u202eabc\u202c',
  'an isolate of direction': '\u2066abc\u2069',
  'a right-to-left mark': '\u200f',
  'an Arabic letter mark': '\u061c',
  'a line separator': '\u2028',
  'a space of no width': 'ad\u200bmin',
  'a word joiner': '\u2060',
  'a byte order mark': '\ufeff',
  'a soft hyphen': 'ad\u00admin',
  'letters in tags': '\u{e0061}\u{e007f}',
  'tags behind a flag that is no region': '\u{1f3f4}\u{e0072}\u{e006d}\u{e007f}',
  'a joiner between Latin letters': 'a\u200db',
  'variation selectors behind a letter': 'a\ufe0f\u{e0123}',
  'a Hangul filler': '\u3164',
  'half a pair': '\ud83d',
};

const readable = [
  '来週の火曜日 🌸',
  '葛\u{e0100}城',
  '👨‍👩‍👧‍👦 🏳️‍🌈 🏴‍☠️ 👍🏽 🇯🇵 1️⃣ ❤️ ☎︎ 🧔🏽‍♂️',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴',
  'e\u0301 \u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22',
  'می\u200cخواهم',
  'क्\u200dष',
  'العربية עברית',
  '한국어 ﾊﾝｶｸ\u3000全角',
];

/** Characters that no shown text may contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

describe('what can steer or deceive', () => {
  test.each(Object.entries(unsafe))('%s is shown as an escape', (_name, text) => {
    expect(escapeLine(text)).toMatch(/\\u[0-9a-f]{4}/);
    expect(escapeLine(text)).not.toMatch(steering);
    expect(escapeLine(escapeLine(text))).toBe(escapeLine(text));
  });

  test('line breaks stay in a text, and are spaces in a line', () => {
    expect(escapeText('a\r\nb\n\tc')).toBe('a\nb\n\tc');
    expect(escapeLine('dup\nnext: rm -rf ~')).toBe('dup next: rm -rf ~');
    expect(escapeLine('dup\rnext: rm')).toBe('dup\\u000dnext: rm');
  });

  test('two names that differ in what is not seen are shown differently', () => {
    expect(escapeLine('VIP\u200b')).not.toBe(escapeLine('VIP'));
  });
});

test.each(readable)('%s stays as it is', (text) => {
  expect(escapeLine(text)).toBe(text);
  expect(escapeText(JSON.stringify({ text }))).toBe(JSON.stringify({ text }));
});

describe('JSON and YAML have the same value', () => {
  const all = [
    ...Object.values(unsafe),
    ...readable,
    'a\\\u200b',
    '"\u009b',
    "'\u200b: #",
    '- \u2028\n  b\n',
  ];
  const value = { list: all, ...Object.fromEntries(all.map((text) => [text, text])) };

  test('as JSON', () => {
    const shown = escapeText(JSON.stringify(value, null, 2));
    expect(shown).not.toMatch(steering);
    expect(JSON.parse(shown)).toEqual(value);
  });

  test('as YAML, comments included', async () => {
    const text = `# a\u202eb\n${stringify(value)}`;
    const shown = await escapeYaml(text);
    expect(shown).not.toMatch(steering);
    expect(parse(shown)).toEqual(parse(text));
  });

  test('whatever the text is', async () => {
    const strings = fc.string({ unit: 'binary' });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.dictionary(strings, strings), fc.array(strings)), async (some) => {
        expect(JSON.parse(escapeText(JSON.stringify(some)))).toEqual(JSON.parse(JSON.stringify(some)));
        const yaml = stringify(some, { lineWidth: 0 });
        const shown = await escapeYaml(yaml);
        expect(shown).not.toMatch(steering);
        expect(parse(shown)).toEqual(parse(yaml));
      }),
      { numRuns: 100 },
    );
  });
});
