import { expect, test } from 'vitest';
import { killSyncs } from './kill-syncs.ts';

/* The short version of `npm run soak -- killed-syncs`. */

test('a sync that is killed with kill -9 beside another one loses nothing and doubles nothing', async () => {
  const { kills, ...counts } = await killSyncs(3, 2);
  expect(counts).toMatchObject({ doubled: 0, lost: 0, left: 0, incomplete: 0 });
  expect(kills).toBe(2);
});
