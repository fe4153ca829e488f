import { describe, expect, test } from 'vitest';
import { type ListPosition, type PageFacts, positionAfter, startOfList } from './list-position.ts';

const full = { requested: 50, received: 50, newCount: 50, total: undefined, limited: undefined };
const empty = { received: 0, newCount: 0 };
const short = { ...full, received: 20, newCount: 20 };

/** Offsets after each page; undefined when the list has ended. */
function read(...pages: readonly Partial<PageFacts>[]): (number | undefined)[] {
  let position: ListPosition = startOfList();
  return pages.map((page) => {
    const next = positionAfter(position, { ...full, ...page });
    position = next;
    return next.isEnd ? undefined : next.offset;
  });
}

describe('the end of a list', () => {
  test.each<[string, readonly Partial<PageFacts>[], (number | undefined)[]]>([
    ['an empty page', [{ ...full, ...empty }], [undefined]],
    [
      'an empty page behind total',
      [
        { total: 50, limited: true },
        { ...empty, total: 50, limited: true },
      ],
      [50, undefined],
    ],
    ['not an empty page before total', [{ total: 120 }, { ...empty, total: 120 }], [50, 100]],
    [
      'not an empty page of a list that is limited',
      [{ limited: true }, { ...empty, limited: true }],
      [50, 100],
    ],
    ['an empty page before which total shrank', [{ total: 120 }, { ...empty, total: 20 }], [50, undefined]],
    [
      'the third empty page in a row',
      [
        { limited: true },
        { ...empty, limited: true },
        { ...empty, limited: true },
        { ...empty, limited: true },
      ],
      [50, 100, 150, undefined],
    ],
    ['a gap that reaches total', [{ total: 90 }, { ...empty, total: 90 }], [50, undefined]],
    ['not a gap, which is as large as the largest page', [short, { ...empty, total: 60 }], [20, 40]],
    ['a short page that reaches total', [{ ...short, total: 20, limited: false }], [undefined]],
    ['a total that is reached', [{ total: 70 }, { ...short, total: 70 }], [50, undefined]],
    ['a total reached by a full page', [{ total: 100 }, { total: 100 }], [50, undefined]],
    ['not a full first page that counts itself', [{ total: 50, limited: false }], [50]],
    ['not a reached total with limited: true', [{ ...short, total: 20, limited: true }], [20]],
    ['not limited: false', [{ limited: false }, { limited: false }], [50, 100]],
    ['not a short page without total', [short, { ...short, received: 0 }], [20, undefined]],
    ['not a short page without anything new', [short, { ...short, newCount: 0 }], [20, 40]],
    [
      'a second short page without anything new',
      [short, { ...short, newCount: 0 }, { ...short, newCount: 0 }],
      [20, 40, undefined],
    ],
    [
      'not an empty page after which total, which shrank, says more',
      [{ total: 200 }, { total: 190 }, { ...empty, total: 190 }],
      [50, 100, 150],
    ],
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
    expect(positionAfter(startOfList(30), end).isEnd).toBe(true);
    expect(positionAfter(startOfList(20), end)).toMatchObject({ offset: 30, isEnd: false });
  });
});

test('a list is in doubt once a page was empty while the server said that there is more', () => {
  const gap = { ...full, ...empty };
  const isInDoubt = (facts: Partial<PageFacts>) =>
    positionAfter(startOfList(), { ...gap, ...facts }).isInDoubt;
  expect([isInDoubt({ total: 90 }), isInDoubt({ limited: true })]).toEqual([true, true]);
  expect([isInDoubt({}), isInDoubt({ total: 0, limited: false })]).toEqual([false, false]);
  // Nothing was received, so a total of nothing may be that of the page.
  expect(isInDoubt({ total: 0, limited: true })).toBe(true);
  const whole = positionAfter(startOfList(), { ...short, total: 20, limited: true });
  expect(positionAfter(whole, { ...gap, total: 20, limited: true })).toMatchObject({
    isEnd: true,
    isInDoubt: false,
  });
  const after = positionAfter(positionAfter(startOfList(), { ...gap, total: 90 }), { ...full, total: 90 });
  expect(after.isInDoubt).toBe(true);
});
