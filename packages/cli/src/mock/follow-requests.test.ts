import { describe, expect, it } from 'vitest';
import { LostCount } from './follow-requests.ts';
import { toPageQuery } from './request-page.ts';

describe('the number of lost requests', () => {
  it('does not count what was dropped before the first answer', () => {
    const lost = new LostCount();
    expect(lost.update(5, 10)).toBe(0);
    expect(lost.update(8, 3)).toBe(0);
    expect(lost.update(18, 0)).toBe(0);
  });

  it('counts what was dropped between two answers, once', () => {
    const lost = new LostCount();
    expect(lost.update(0, 10)).toBe(0);
    expect(lost.update(25, 10)).toBe(15);
    expect(lost.update(25, 0)).toBe(0);
    expect(lost.update(36, 10)).toBe(1);
  });

  it('starts again after a reset', () => {
    const lost = new LostCount();
    expect(lost.update(100, 10)).toBe(0);
    expect(lost.update(0, 3)).toBe(0);
    expect(lost.update(2, 0)).toBe(0);
  });
});

it.each([
  [{}, ''],
  [{ after: 0 }, '?after=0'],
  [{ after: 5, limit: 10 }, '?after=5&limit=10'],
])('the query of %j is %j', (page, query) => {
  expect(toPageQuery(page)).toBe(query);
});
