import { describe, expect, it } from 'vitest';
import { runModel, type Tamper } from './run-model.ts';
import { steps } from './steps.ts';

/** The run must include each of these answers; otherwise agreement proves little. */
const answers = [
  '200',
  '201',
  'replayed',
  'UNAUTHORIZED',
  'PLAN_REQUIRED',
  'SUSPENDED',
  'FORBIDDEN',
  'QUOTA_EXCEEDED',
  'RATE_LIMITED',
  'INVALID_INPUT',
  'RUNTIME_UNAVAILABLE',
  'NOT_FOUND',
  'STALE_REVISION',
  'INPUT_CONFLICT',
  'OPERATION_UNCERTAIN',
  'KEYWORD_LIMIT_EXCEEDED',
];

/*
 * Sends random sequences of all kinds of steps to the server and to a reference model that shares no code with it.
 * `npm run soak` sends 100,000 commands.
 */
it('[6.3] [6.6] [6.7] [4.4.3] [8.1] the server does what the reference model does', async () => {
  const tally = await runModel({ runs: 50, length: 120 });
  const total = [...tally.steps.values()].reduce((sum, count) => sum + count, 0);
  expect(total).toBeGreaterThan(1_200);
  for (const kind of Object.keys(steps)) expect(tally.steps.get(kind) ?? 0, kind).toBeGreaterThan(8);
  for (const answer of answers) expect(tally.answers.get(answer) ?? 0, answer).toBeGreaterThan(2);
}, 180_000);

/* A model that agrees with every answer proves nothing. */
describe('detects a planted mistake', () => {
  const records = (body: Record<string, unknown>) => body.records as unknown[] | undefined;
  const mistakes: readonly [string, Tamper][] = [
    [
      'a replay that is not marked as one',
      (body) => ({ ...body, ...('replayed' in body && { replayed: false }) }),
    ],
    [
      'a list without its oldest record',
      (body) => records(body) && { ...body, records: records(body)?.slice(0, -1) },
    ],
    ['a list in reverse order', (body) => records(body) && { ...body, records: records(body)?.reverse() }],
    ['a different code', (body) => body.error === 'STALE_REVISION' && { ...body, error: 'INPUT_CONFLICT' }],
  ];

  it.each(mistakes)(
    '%s',
    async (_name, tamper) => {
      await expect(runModel({ runs: 40, length: 120, tamper })).rejects.toThrow(/Property failed/);
    },
    180_000,
  );
});
