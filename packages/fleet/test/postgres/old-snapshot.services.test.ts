import { expect, test } from 'vitest';
import { decideBehindSnapshot, mostPages, snapshotKinds } from '../../test-support/old-snapshot.ts';

/*
 * A transaction with an old snapshot keeps every version of every row. What a decision of the pacing reads does not depend on
 * how many there are. The soak "pacing" does the same with 50,000 decisions.
 */

test.each(snapshotKinds)(
  'behind an old snapshot a decision reads no more after many others, with places that are %s',
  async (kind) => {
    const { failures, pages } = await decideBehindSnapshot({
      ...{ decisions: 200, callers: 4, inEngine: 15_000, kind },
    });
    expect(failures).toBe(0);
    expect(pages).toBeLessThan(mostPages);
  },
);
