import { describe, expect, it } from 'vitest';
import type { Bug } from './messages.ts';
import { createDangerous, createPlan, type Hazard } from './plan.ts';
import { simulate } from './simulate.ts';

/*
 * Checks that each intent is applied once. Clients with file journals and a server with a data file run in their own
 * processes. A seed decides which faults happen at each phase and which processes are killed. `npm run soak` runs
 * 10,000 intents.
 */
const clients = 3;

describe('exactly once', () => {
  it('[6.6] [7.3.2] [7.3.3] every intent is applied once, refused, or unknown and then reconciled', async () => {
    const intents = createPlan({ seed: 10, intents: 60, clients });
    const { problems, outcomes, clientDeaths, serverDeaths } = await simulate(intents, { clients });
    expect(problems).toEqual([]);
    const total = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
    expect(total).toBe(60);
    expect(outcomes).toMatchObject({ applied: expect.any(Number), refused: expect.any(Number) });
    expect(clientDeaths).toBeGreaterThan(2);
    expect(serverDeaths).toBeGreaterThan(2);
  }, 180_000);
});

it('[6.6] clients that share key, journal and intents apply each once between them', async () => {
  const intents = createPlan({ seed: 2, intents: 24, clients, shared: true });
  const { problems, outcomes } = await simulate(intents, { clients });
  expect(problems).toEqual([]);
  expect(outcomes.applied).toBeGreaterThan(60);
}, 180_000);

/*
 * The oracle must detect each of three planted mistakes and name the affected intents. The same hazards without the
 * mistake must cause no problem.
 */
describe('detects a planted mistake', () => {
  const lose: Hazard = { fault: { operation: 'changeChat', effect: 'lose-response' } };
  const mistakes: readonly [Bug, string, Hazard, string][] = [
    ['new-id-on-retry', 'a new operationId on retry', lose, 'doubled'],
    [
      'journal-after-send',
      'a journal that is written after sending',
      { kill: 'client', at: 'answered' },
      'doubled',
    ],
    ['answer-before-write', 'an answer before the write', { kill: 'server', at: 'answered' }, 'lost'],
  ];

  it.each(mistakes)(
    '%s: %s',
    async (bug, _name, hazard, what) => {
      const intents = createDangerous([hazard]);
      const hurt = intents
        .filter((intent) => intent.hazard !== undefined)
        .map(({ label }) => ({ label, what }));
      const { problems } = await simulate(intents, { clients: 1, bug });
      expect(problems).toEqual(expect.arrayContaining(hurt));
    },
    180_000,
  );

  it('and nothing else: the same hazards without the mistakes cause no problem', async () => {
    const intents = createDangerous(mistakes.map(([, , hazard]) => hazard));
    expect(await simulate(intents, { clients: 1 })).toMatchObject({ problems: [] });
  }, 180_000);
});
