import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceUnsafe, splitUnsafe } from './unsafe-characters.ts';

test.each([
  ['safe text', ['safe text']],
  ['a\u200bb', ['a', '\u200b', 'b']],
  ['\u202eevil', ['', '\u202e', 'evil']],
  ['a\n\u2028\tb', ['a\n', '\u2028', '\tb']],
  ['👨‍👩‍👧\u200d', ['👨‍👩‍👧', '\u200d', '']],
])('%j is split', (text, pieces) => {
  expect(splitUnsafe(text)).toEqual(pieces);
});

test('the pieces are the text, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(splitUnsafe(text).join('')).toBe(text);
      expect(splitUnsafe(replaceUnsafe(text))).toHaveLength(1);
    }),
  );
});
