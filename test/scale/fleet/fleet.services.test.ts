import { expect, test } from 'vitest';
import { plantedBugs } from './plan.ts';
import { soakFleet } from './soak-fleet.ts';

/*
 * A short form of `npm run soak -- fleet`: journal, pacing and outbox together, in workers that are killed. Windows are of
 * three seconds here, and nothing goes wrong that takes seconds to be noticed.
 */
const short = { seed: 3, intents: 120, workers: 3, perWindow: 30, windowMs: 3_000 };

test('workers, engines and networks that die lose, double and misreport nothing, and keep organizations and pace', async () => {
  const round = ['revoke', 'kill', 'kill', 'lose reply', 'break', 'crash'] as const;
  const counts = await soakFleet({ ...short, round });
  expect(counts).toMatchObject({ intents: 120, lost: 0, doubled: 0, misreported: 0, overtaken: 0 });
  expect(counts).toMatchObject({ 'in the wrong organization': 0 });
  expect(counts['workers killed']).toBeGreaterThan(0);
  expect(counts['requests with a revoked key']).toBeGreaterThan(0);
  expect(counts['in the fullest window']).toBeGreaterThan(10);
});

test('the run detects every bug that can be planted', async () => {
  const soak = soakFleet({ ...short, intents: 60, perWindow: 8, round: ['revoke'], bugs: plantedBugs });
  const problems = await soak.then(String, String);
  expect(problems).toMatch(/\d+ doubled: Order \d+/);
  expect(problems).toMatch(/\d+ in the wrong organization: Order \d+/);
  expect(problems).toMatch(/\d+ misreported: Order \d+ as applied by its call/);
  expect(problems).toMatch(/a window had \d+ requests, and 8 are allowed/);
  expect(problems).toMatch(/\d+ violations: a call took its own entry/);
});
