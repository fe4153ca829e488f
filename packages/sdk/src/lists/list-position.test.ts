import { describe, expect, test } from 'vitest';
import { type PageFacts, positionAfter, startOfList } from './list-position.ts';

const full = { requested: 50, received: 50, newCount: 50, total: undefined, limited: undefined };
const short = { ...full, received: 20, newCount: 20 };

/** Offsets after each page; undefined when the list has ended. */
function read(...pages: readonly Partial<PageFacts>[]): (number | undefined)[] {
  let position: ReturnType<typeof positionAfter> = startOfList();
  return pages.map((page) => {
    if (position === undefined) throw new Error('the list has ended already');
    position = positionAfter(position, { ...full, ...page });
    return position?.offset;
  });
}

describe('the end of a list', () => {
  test.each<[string, readonly Partial<PageFacts>[], (number | undefined)[]]>([
    ['an empty page', [{ received: 0, newCount: 0, total: 90, limited: true }], [undefined]],
    ['a short page that reaches total', [{ ...short, total: 20, limited: false }], [undefined]],
    ['a total that is reached', [{ total: 70 }, { ...short, total: 70 }], [50, undefined]],
    ['a total reached by a full page', [{ total: 100 }, { total: 100 }], [50, undefined]],
    ['not a full first page that counts itself', [{ total: 50, limited: false }], [50]],
    ['not a reached total with limited: true', [{ ...short, total: 20, limited: true }], [20]],
    ['not limited: false', [{ limited: false }, { limited: false }], [50, 100]],
    ['not a short page without total', [short, { ...short, received: 0 }], [20, undefined]],
    ['a short page again without anything new', [short, { ...short, newCount: 0 }], [20, undefined]],
    ['not a short page below total', [{ ...short, total: 60 }], [20]],
    ['not a total below what was received', [{ total: 30 }, { total: 100 }], [50, 100]],
    ['not a total that shrank to what was received', [{ total: 150 }, { total: 100 }], [50, 100]],
    ['not a total that is text', [{ total: '50' }], [50]],
    ['not a full page without anything new', [full, { newCount: 0 }], [50, 100]],
  ])('is %s', (_name, pages, offsets) => {
    expect(read(...pages)).toEqual(offsets);
  });

  test('counts from the offset the list began at', () => {
    const end = { ...full, received: 10, newCount: 10, total: 40 };
    expect(positionAfter(startOfList(30), end)).toBeUndefined();
    expect(positionAfter(startOfList(20), end)?.offset).toBe(30);
  });
});
