import { createMock, type Mock } from '@orgchat/mock-server';
import { describe, expect, it } from 'vitest';
import type { MockServer } from '../../packages/mock-server/src/mock-server.ts';
import { type Hurt, hurt } from './hurt.ts';

/* Ten thousand attacks are in `npm run soak -- hurt`; these are some hundreds. */
const seed = Number(process.env.ORGCHAT_TEST_SEED ?? 1);

async function attacked(mock: Mock, attacks: number): Promise<Hurt> {
  const server = await mock.listen({ port: 0 });
  const { baseUrl, controlUrl } = server;
  const result = await hurt({ baseUrl, controlUrl, seed, attacks });
  await server.close();
  return result;
}
const unlimited = { rateLimit: 'off', monthlyLimit: 'off' } as const;

it('malformed and hurtful requests get a clear refusal, change nothing, and keep nobody waiting', async () => {
  const errors: unknown[] = [];
  const mock = createMock({ ...unlimited, onError: (error) => errors.push(error) });
  const { kinds, problems, verified } = await attacked(mock, 600);
  expect(problems).toEqual([]);
  expect(errors).toEqual([]);
  expect(kinds.size).toBe(20);
  expect(verified).toBe(30);
  expect(({} as { polluted?: true }).polluted).toBeUndefined();
}, 120_000);

describe('what hurt is noticed', () => {
  type Outcome = Awaited<ReturnType<MockServer['handle']>>;
  type Answer = Extract<Outcome, { kind: 'answer' }>;
  const flaws: [string, (answer: Answer, mock: Mock) => Outcome, RegExp][] = [
    [
      'a refusal without its body',
      ({ response }) => ({ kind: 'answer', response: { ...response, body: '{}' } }),
      /no error body/,
    ],
    [
      'an error of the server',
      ({ response }) => ({ kind: 'answer', response: { ...response, status: 500 } }),
      /the status is not among/,
    ],
    ['a connection that breaks', () => ({ kind: 'reset' }), /answered 0 times only/],
    [
      'a state that changed',
      (answer, mock) => {
        mock.faults.arm({ effect: 'delay', delayMs: 0 });
        return answer;
      },
      /changed the state/,
    ],
  ];

  it.each(flaws)(
    '%s',
    async (_, flaw, expected) => {
      const mock = createMock(unlimited) as MockServer;
      const { handle } = mock;
      let refusals = 0;
      mock.handle = (request) => {
        const outcome = handle.call(mock, request);
        const isRefusal = 'kind' in outcome && outcome.kind === 'answer' && outcome.response.status === 400;
        return isRefusal && ++refusals % 10 === 0 ? flaw(outcome, mock) : outcome;
      };
      const { problems } = await attacked(mock, 200);
      expect(problems.join('\n')).toMatch(expected);
    },
    60_000,
  );
});
