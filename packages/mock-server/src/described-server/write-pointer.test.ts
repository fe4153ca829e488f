import { describe, expect, it } from 'vitest';
import { writePointer } from './write-pointer.ts';

describe('writing at a JSON pointer', () => {
  it.each([
    [undefined, '', 1, 1],
    [undefined, '/a/b', 1, { a: { b: 1 } }],
    [{ a: { c: 2 } }, '/a/b', 1, { a: { c: 2, b: 1 } }],
    [undefined, '/records/0', 1, { records: [1] }],
    [undefined, '/a~1b/c~0d', 1, { 'a/b': { 'c~d': 1 } }],
    [{ 0: 'x' }, '/1', 'y', { 0: 'x', 1: 'y' }],
  ])('%j with %s', (outer, pointer, value, expected) => {
    expect(writePointer(outer, pointer, value)).toEqual(expected);
  });

  it('writes a field called __proto__ like any other', () => {
    const written = writePointer({}, '/__proto__/x', 1) as object;
    expect(Object.keys(written)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(written)).toBe(Object.prototype);
  });
});
