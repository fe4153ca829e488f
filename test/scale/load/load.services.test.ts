import { createMock, type Mock } from '@orgchat/mock-server';
import { describe, expect, it } from 'vitest';
import type { ServedMock } from '../../../packages/mock-server/src/served-mock.ts';
import { Load, type Totals } from './run-load.ts';
import { loadSeed } from './seed.ts';

/* `npm run soak -- load` runs 2,000 connections for ten minutes. */
const seed = Number(process.env.ORGCHAT_TEST_SEED ?? 1);

async function loaded(mock: Mock, sessions: number): Promise<Totals> {
  const server = await mock.listen({ port: 0 });
  const { baseUrl, controlUrl } = server;
  const shouldContinue = (done: number): boolean => done < sessions;
  const load = new Load({ baseUrl, controlUrl, connections: 80, seed, steps: 8, root: true, shouldContinue });
  await load.run();
  // Its connections are still open.
  await server.close();
  load.close();
  return load.totals;
}

it('many connections get only declared answers during faults, resets and deletions', async () => {
  const errors: unknown[] = [];
  const mock = createMock({ seed: loadSeed(), onError: (error) => errors.push(error) });
  const { problems, sessions, statuses } = await loaded(mock, 4);
  expect(problems).toEqual([]);
  expect(errors).toEqual([]);
  expect(sessions).toBe(16);
  expect(mock.sandboxes.size).toBe(0);
  // Broken answers (0) are among them.
  const [broken, ...answered] = [0, 200, 201, 400, 401, 403, 404, 405, 409].map((status) =>
    statuses.get(status),
  );
  expect(broken).toBeGreaterThan(0);
  for (const times of answered) expect(times).toBeGreaterThan(0);
}, 120_000);

describe('the load test detects', () => {
  type Outcome = Awaited<ReturnType<ServedMock['handle']>>;
  type Answer = Extract<Outcome, { kind: 'answer' }>;
  const flaws: [string, (answer: Answer) => Outcome, RegExp][] = [
    [
      'an undeclared status',
      ({ response }) => ({ kind: 'answer', response: { ...response, status: 202 } }),
      /does not declare this status/,
    ],
    [
      'a body without a required field',
      ({ response }) => ({ kind: 'answer', response: { ...response, body: '{}' } }),
      /must have required property/,
    ],
    ['a connection that breaks', () => ({ kind: 'reset' }), /the connection broke|broken/],
  ];

  it.each(flaws)(
    '%s',
    async (_, flaw, expected) => {
      const mock = createMock({ seed: loadSeed() }) as ServedMock;
      const { handle } = mock;
      let answers = 0;
      mock.handle = (request) => {
        const outcome = handle.call(mock, request);
        const isMe = request.path.endsWith('/me') && 'kind' in outcome && outcome.kind === 'answer';
        return isMe && ++answers % 10 === 0 ? flaw(outcome) : outcome;
      };
      const { problems } = await loaded(mock, 3);
      expect(problems.join('\n')).toMatch(expected);
    },
    120_000,
  );
});
