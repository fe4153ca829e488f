import { expect, test } from 'vitest';
import { areBounded, decideBehindSnapshot, snapshotKinds } from '../../test-support/old-snapshot.ts';

/*
 * A transaction with an old snapshot keeps every version of every row. What a decision of the pacing reads does not depend on
 * how many there are. The soak "pacing" does the same with 50,000 decisions.
 */

test.each(snapshotKinds)(
  'behind an old snapshot a decision reads no more after many others, with places that are %s',
  async (kind) => {
    const costs = await decideBehindSnapshot({ decisions: 200, callers: 4, inEngine: 15_000, kind });
    expect(areBounded(costs), JSON.stringify(costs)).toBe(true);
  },
);
