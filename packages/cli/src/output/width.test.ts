import { expect, test } from 'vitest';
import { cut, displayWidth } from './width.ts';

test.each([
  ['abc', 3],
  ['千佳 🌸', 7],
  ['e\u0301', 1],
])('%s takes %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test('cutting respects columns', () => {
  expect(cut('来週の火曜日', 7)).toBe('来週の…');
});
