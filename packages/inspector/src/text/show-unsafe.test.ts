import { Fragment, h, type VNode } from 'preact';
import { expect, test } from 'vitest';
import { showUnsafeEverywhere } from './show-unsafe.ts';

showUnsafeEverywhere();

/** The text of an element, and of those in it. */
function readText(node: unknown): string {
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return node.map(readText).join('');
  return node === null || typeof node !== 'object' ? '' : readText((node as VNode<object>).props.children);
}

test.each([
  ['a space of no width', 'a\u200bb', 'a\\u200bb'],
  ['a byte order mark', 'x\ufeffy', 'x\\ufeffy'],
  ['an override of direction', 'A\u202eB', 'A\\u202eB'],
  ['what would read as another word', '\u202eevil', '\\u202eevil'],
  ['half a pair', 'a\ud83d', 'a\\ud83d'],
])('%s is shown as an escape, wherever it is', (_name, text, shown) => {
  expect(readText(h('p', null, text))).toBe(shown);
  expect(readText(h('p', null, 'before ', [text, [text]]))).toBe(`before ${shown}${shown}`);
  expect(readText(h(Fragment, null, text))).toBe(shown);
  expect(h('option', null, text).props.children).toBe(shown);
});

test('an escape differs from a text that looks like one', () => {
  expect(h('p', null, 'a\\u200bb').props.children).toBe('a\\u200bb');
  expect(h('p', null, 'a\u200bb').props.children).toHaveLength(3);
});

test('other text stays as it is, and so do joined emoji', () => {
  for (const text of ['日本語', '👨‍👩‍👧 ❤️', 'two\nlines\tand more', ''])
    expect(h('p', null, text).props.children).toBe(text);
});
