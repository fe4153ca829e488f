import { expect, it } from 'vitest';
import { toPageQuery } from './request-page.ts';

it.each([
  [{}, ''],
  [{ after: 0 }, '?after=0'],
  [{ after: 5, limit: 10 }, '?after=5&limit=10'],
])('the query of %j is %j', (page, query) => {
  expect(toPageQuery(page)).toBe(query);
});
