import { expect, test } from 'vitest';
import { type CountedPage, createDeletionWatch, type PageVerdict } from './deletion-watch.ts';

type Page = readonly [offset: number, received: number, total: unknown, hasMissed?: boolean];

/** Judges pages of a list, each of which has something new. */
function judge(...pages: readonly Page[]): PageVerdict[] {
  const watch = createDeletionWatch();
  let replaced: CountedPage | undefined;
  return pages.map(([offset, received, total, hasMissed = false]) => {
    const page = { offset, received, total, hasMissed };
    const verdict = watch.judge(page);
    const used = verdict === 'use-replaced' ? replaced : page;
    if (typeof verdict === 'string' && used) watch.use(used.offset + used.received, used.received);
    else replaced ??= page;
    return verdict;
  });
}

const from = (rereadFrom: number) => ({ rereadFrom });

test.each<[string, readonly Page[], readonly PageVerdict[]]>([
  [
    'nothing was deleted',
    [
      [0, 50, 120],
      [50, 50, 120],
    ],
    ['use', 'use'],
  ],
  [
    'one record was deleted',
    [
      [0, 50, 120],
      [50, 50, 119],
      [49, 50, 119],
      [99, 20, 119],
    ],
    ['use', from(49), 'use', 'use'],
  ],
  [
    'the records of the page before were deleted',
    [
      [0, 50, 120],
      [50, 20, 70],
      [0, 50, 70],
    ],
    ['use', from(0), 'use'],
  ],
  [
    'more were deleted while the page was read again',
    [
      [0, 50, 120],
      [50, 50, 119],
      [49, 50, 117],
      [22, 50, 117],
    ],
    ['use', from(49), from(22), 'use'],
  ],
  [
    'all were deleted',
    [
      [0, 50, 50],
      [50, 0, 0],
    ],
    ['use', 'use'],
  ],
  [
    'the total counts what remains',
    [
      [0, 50, 200],
      [50, 50, 150],
      [0, 50, 200],
      [100, 50, 100],
      [150, 50, 50],
    ],
    ['use', from(0), 'use-replaced', 'use', 'use'],
  ],
  [
    'the total counts what remains, but a record was missed',
    [
      [0, 50, 200],
      [50, 50, 149],
      [0, 50, 199, true],
    ],
    ['use', from(0), 'use'],
  ],
  [
    'the total counts what remains, of which one was deleted',
    [
      [0, 50, 200],
      [50, 50, 150],
      [0, 50, 200],
      [100, 50, 99],
      [99, 50, 100],
    ],
    ['use', from(0), 'use-replaced', from(99), 'use'],
  ],
  [
    'the total counts the page',
    [
      [0, 50, 50],
      [50, 50, 50],
      [100, 20, 20],
      [120, 0, 0],
    ],
    ['use', 'use', 'use', 'use'],
  ],
  [
    'there is no total',
    [
      [0, 50, undefined],
      [50, 20, null],
      [70, 0, '70'],
    ],
    ['use', 'use', 'use'],
  ],
])('if %s', (_name, pages, verdicts) => {
  expect(judge(...pages)).toEqual(verdicts);
});

test('a total that shrinks with each request is ignored in the end', () => {
  const watch = createDeletionWatch();
  let rereads = 0;
  let offset = 0;
  for (let request = 0; request < 500; request++) {
    const verdict = watch.judge({ offset, received: 1, total: 1_000_000 - request, hasMissed: false });
    if (typeof verdict === 'string') watch.use(++offset, 0);
    else {
      offset = verdict.rereadFrom;
      rereads++;
    }
  }
  expect(rereads).toBeLessThanOrEqual(10);
  expect(watch.ignoresTotal()).toBe(true);
});
