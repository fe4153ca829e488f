import { expect, test } from 'vitest';
import { escapeXml } from './junit.ts';

test('a text for XML has no character that XML forbids', () => {
  expect(escapeXml('a\u0001\ud800b\n\u{1f600}\ufffe')).toBe('ab\n\u{1f600}');
});
