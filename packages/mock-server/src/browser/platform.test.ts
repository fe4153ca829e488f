import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as node from '../primitives/platform.ts';
import * as browser from './platform.ts';

/** With halves of surrogate pairs, which UTF-8 cannot have. */
const text = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
});

it('functions that a browser has instead give the same results as those of Node', () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
  fc.assert(
    fc.property(text, fc.uint8Array(), (given, bytes) => {
      expect(browser.sha256(given)).toBe(node.sha256(given));
      expect(browser.byteLength(given)).toBe(node.byteLength(given));
      expect(browser.byteLength(bytes)).toBe(node.byteLength(bytes));
      expect(browser.detach(given)).toBe(node.detach(given));
      for (const body of [bytes, Buffer.from(given), Buffer.from(`\ufeff${given}\ufffd`)])
        expect(browser.decodeUtf8(body)).toBe(node.decodeUtf8(body));
    }),
  );
});

it('a channel in a browser has no subscribers, so nothing is published', () => {
  expect(browser.channel().hasSubscribers).toBe(false);
});
