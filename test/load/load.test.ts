import { createMock, type Mock } from '@orgchat/mock-server';
import { describe, expect, it } from 'vitest';
import type { MockServer } from '../../packages/mock-server/src/mock-server.ts';
import { Load, type Totals } from './load.ts';
import { loadSeed } from './seed.ts';

/* Ten minutes of 2,000 connections are in `npm run soak -- load`; this is the same with a few, for a few scenes. */
const seed = Number(process.env.ORGCHAT_TEST_SEED ?? 1);

async function loaded(mock: Mock, scenes: number): Promise<Totals> {
  const server = await mock.listen({ port: 0 });
  const { baseUrl, controlUrl } = server;
  const goesOn = (played: number): boolean => played < scenes;
  const load = new Load({ baseUrl, controlUrl, connections: 80, seed, steps: 8, root: true, goesOn });
  await load.run();
  // Its connections are still open.
  await server.close();
  load.close();
  return load.totals;
}

it('many connections get no undeclared answer, whatever is armed, reset and dropped meanwhile', async () => {
  const errors: unknown[] = [];
  const mock = createMock({ seed: loadSeed(), onError: (error) => errors.push(error) });
  const { problems, scenes, statuses } = await loaded(mock, 4);
  expect(problems).toEqual([]);
  expect(errors).toEqual([]);
  expect(scenes).toBe(16);
  expect(mock.sandboxes.size).toBe(0);
  // Broken answers (0) are among them.
  const [broken, ...answered] = [0, 200, 201, 400, 401, 403, 404, 405, 409].map((status) =>
    statuses.get(status),
  );
  expect(broken).toBeGreaterThan(0);
  for (const times of answered) expect(times).toBeGreaterThan(0);
}, 120_000);

describe('what no fault did is noticed', () => {
  type Outcome = Awaited<ReturnType<MockServer['handle']>>;
  type Answer = Extract<Outcome, { kind: 'answer' }>;
  const flaws: [string, (answer: Answer) => Outcome, RegExp][] = [
    [
      'a status that is not declared',
      ({ response }) => ({ kind: 'answer', response: { ...response, status: 202 } }),
      /does not declare this status/,
    ],
    [
      'a body that lacks a field',
      ({ response }) => ({ kind: 'answer', response: { ...response, body: '{}' } }),
      /must have required property/,
    ],
    ['a connection that breaks', () => ({ kind: 'reset' }), /the connection broke|broken/],
  ];

  it.each(flaws)(
    '%s',
    async (_, flaw, expected) => {
      const mock = createMock({ seed: loadSeed() }) as MockServer;
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
