import { expect, test } from 'vitest';
import { engineKinds } from './messages.ts';
import { soakFleet } from './soak-fleet.ts';

/*
 * A short form of `npm run soak -- fleet`: journal, pacing and outbox together, in workers that are killed. Windows are of
 * three seconds here, so that several of them are full.
 */
const short = { seed: 3, intents: 120, workers: 4, perWindow: 60, windowMs: 3_000 };

test.each(engineKinds)(
  'on %s, workers, engine and network that die lose and double nothing, and keep to the pace in order',
  async (engine) => {
    const counts = await soakFleet({ ...short, engine });
    expect(counts).toMatchObject({ intents: 120, lost: 0, doubled: 0, overtaken: 0 });
    expect(counts['workers killed']).toBeGreaterThan(0);
    expect(counts['in the fullest window']).toBeGreaterThan(30);
  },
);

test('the run detects pacing that counts per fixed window', async () => {
  const soak = soakFleet({ ...short, engine: 'postgres', bug: 'window-by-counter' });
  await expect(soak).rejects.toThrow(/a window had \d+ requests, and 60 are allowed/);
});
