import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startOfJson } from './bounded-json.ts';

it('the start of a JSON is that of JSON.stringify, and all of it if it is short', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(60), (value, length) => {
      const json = JSON.stringify(value);
      const start = startOfJson(value, length + 1) ?? '';
      expect(start.slice(0, length)).toBe(json.slice(0, length));
      if (json.length <= length) expect(start).toBe(json);
    }),
  );
});

it.each([
  [undefined, undefined],
  [{ a: undefined, b: [undefined] }, '{"b":[null]}'],
  [new Date(0), '"1970-01-01T00:00:00.000Z"'],
])('%s has the JSON of JSON.stringify', (value, json) => {
  expect(startOfJson(value, 100)).toBe(json);
});
