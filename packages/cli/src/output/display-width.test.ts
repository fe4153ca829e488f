import { describe, expect, test } from 'vitest';
import { displayWidth, padEnd, truncate } from './display-width.ts';

test.each([
  ['abc', 3],
  ['千佳 🌸', 7],
  ['e\u0301', 1],
  ['👨‍👩‍👧‍👦', 2],
  ['🇯🇵', 2],
  ['👍🏽', 2],
  ['❤️', 2],
  ['1️⃣', 2],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', 2],
  ['हिन्दी', 4],
  ['한국어', 6],
  ['ﾊﾝｶｸ', 4],
  ['ไทย', 3],
])('%s takes %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

describe('cutting', () => {
  test.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['来週の火曜日', 7, '来週の…'],
    ['来週の火曜日', 12, '来週の火曜日'],
    ['来週の火曜日', 11, '来週の火曜…'],
    ['ok 👨‍👩‍👧‍👦!', 5, 'ok …'],
    ['ok 👨‍👩‍👧‍👦!', 6, 'ok 👨‍👩‍👧‍👦!'],
    ['🇯🇵🇰🇷🇹🇼', 5, '🇯🇵🇰🇷…'],
    ['日', 1, '…'],
  ])('%s to %i columns is %s', (text, width, expected) => {
    expect(truncate(text, width)).toBe(expected);
  });

  test('never takes more columns than there are, and no part of a character', () => {
    const text = 'a👍🏽日e\u0301❤️1️⃣हिन्दी🇯🇵';
    for (let width = 1; width <= displayWidth(text); width++) {
      const short = truncate(text, width);
      expect(displayWidth(short)).toBeLessThanOrEqual(width);
      expect(text.startsWith(short.replace(/…$/, ''))).toBe(true);
      expect(short).not.toMatch(/👍…|\u{1f1ef}…|❤…|1…/u);
    }
  });
});

test('padding fills up to the width', () => {
  expect(padEnd('日', 4)).toBe('日  ');
});
