import { expect, it } from 'vitest';
import { showKey, toPageQuery } from './request-page.ts';

it.each([
  [{}, ''],
  [{ after: 0 }, '?after=0'],
  [{ after: 5, limit: 10 }, '?after=5&limit=10'],
])('the query of %j is %j', (page, query) => {
  expect(toPageQuery(page)).toBe(query);
});

it('a key that no key of the mock has is shown masked', () => {
  expect(showKey({ key: 'demo***ey', keyName: 'Demo read' })).toBe('Demo read');
  expect(showKey({ key: 'nobo***dy', keyName: null })).toBe('nobo***dy');
  expect(showKey({ key: null, keyName: null })).toBeNull();
});
