import { createMock, type Mock } from '@orgchat/mock-server';
import { describe, expect, it } from 'vitest';
import type { ServedMock } from '../../../packages/mock-server/src/served-mock.ts';
import { type MalformedHttpResult, runMalformedHttp } from './run-malformed-http.ts';

/* `npm run soak -- malformed-http` sends 10,000 requests. */
const seed = Number(process.env.ORGCHAT_TEST_SEED ?? 1);

async function runAgainst(mock: Mock, requests: number): Promise<MalformedHttpResult> {
  const server = await mock.listen({ port: 0 });
  const { baseUrl, controlUrl } = server;
  const result = await runMalformedHttp({ baseUrl, controlUrl, seed, requests });
  await server.close();
  return result;
}
const unlimited = { rateLimit: 'off', monthlyLimit: 'off' } as const;

it('malformed requests get a clear error, change nothing, and delay no other client', async () => {
  const errors: unknown[] = [];
  const mock = createMock({ ...unlimited, onError: (error) => errors.push(error) });
  const { kinds, problems, verified } = await runAgainst(mock, 600);
  expect(problems).toEqual([]);
  expect(errors).toEqual([]);
  expect(kinds.size).toBe(21);
  expect(verified).toBe(30);
  expect(({} as { polluted?: true }).polluted).toBeUndefined();
}, 120_000);

describe('the check detects', () => {
  type Outcome = Awaited<ReturnType<ServedMock['handle']>>;
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
    ['a connection that breaks', () => ({ kind: 'reset' }), /only 0 responses/],
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
      const mock = createMock(unlimited) as ServedMock;
      const { handle } = mock;
      let refusals = 0;
      mock.handle = (request) => {
        const outcome = handle.call(mock, request);
        const isRefusal = 'kind' in outcome && outcome.kind === 'answer' && outcome.response.status === 400;
        return isRefusal && ++refusals % 10 === 0 ? flaw(outcome, mock) : outcome;
      };
      const { problems } = await runAgainst(mock, 200);
      expect(problems.join('\n')).toMatch(expected);
    },
    60_000,
  );
});
