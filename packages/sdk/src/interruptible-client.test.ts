import { expect, test } from 'vitest';
import { applied, elsewhere, failure, replayed, type Step } from '../test-support/scripted.ts';
import {
  AbortedError,
  type ChatChange,
  type ClientEvent,
  type ClientOptions,
  memoryJournal,
  OutcomeUnknownError,
} from './index.ts';
import { createInterruptibleClient } from './interruptible-client.ts';

const create = (name: string): ChatChange => ({ action: 'create-tags', data: { name, color: 'blue' } });

/** An interruptible client against a script: each request takes the next step. */
function interruptible(steps: readonly Step[], options: ClientOptions = {}) {
  const controller = new AbortController();
  const bodies: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const body = await request.text();
    bodies.push(body);
    const step = steps[bodies.length - 1];
    if (step === undefined) throw new Error('the script has no further step');
    return step(request, body);
  };
  const interrupted = createInterruptibleClient(
    {
      ...{ apiKey: 'test-key-1234567890', ...elsewhere(), pacing: false, journal: memoryJournal(), fetch },
      retry: { baseDelayMs: 1, maxDelayMs: 2 },
      ...options,
    },
    controller.signal,
  );
  const { client, signal } = interrupted;
  const send = (name: string) => client.changeChat(create(name), { signal });
  return { ...interrupted, controller, bodies, send };
}

const abortAtWait =
  (reason: 'pacing' | 'retry', abort: () => void) =>
  (event: ClientEvent): void => {
    if (event.type === 'wait' && event.reason === reason) setImmediate(abort);
  };

test('an abort lets a request finish that is on its way', async () => {
  const { controller, send } = interruptible([
    async (request, body) => {
      controller.abort();
      await new Promise((resolve) => setImmediate(resolve));
      expect(request.signal.aborted).toBe(false);
      return applied(request, body);
    },
  ]);
  expect((await send('VIP')).applied).toBe(true);
});

test.each<[string, 'pacing' | 'retry', Step, ClientOptions]>([
  ['for a slot of the pacing', 'pacing', applied, { pacing: { perMinute: 1 } }],
  ['after a rate limit', 'retry', failure(429, 'RATE_LIMITED', { 'retry-after': '30' }), {}],
])('an abort ends the wait %s, and nothing was applied', async (_wait, reason, second, options) => {
  const abort = (): void => controller.abort();
  const onEvent = abortAtWait(reason, abort);
  const { client, controller, bodies, send } = interruptible([applied, second], { ...options, onEvent });
  await send('first');
  await expect(send('second')).rejects.toBeInstanceOf(AbortedError);
  expect(bodies).toHaveLength(reason === 'pacing' ? 1 : 2);
  // Both may be of one millisecond, so their order says nothing.
  const entries = await client.operations.list();
  expect(Object.fromEntries(entries.map(({ body, state }) => [body, state]))).toEqual({
    [bodies[0] ?? '']: 'applied',
    [entries.find(({ body }) => body !== bodies[0])?.body ?? '']: 'abandoned',
  });
});

test('a change that may have arrived is sent again until it is settled', async () => {
  const abort = (): void => controller.abort();
  const onEvent = abortAtWait('retry', abort);
  const { controller, bodies, send } = interruptible(
    [failure(503, 'UNAVAILABLE'), failure(503, 'UNAVAILABLE'), replayed],
    { onEvent, retry: { baseDelayMs: 20, maxDelayMs: 20 } },
  );
  expect(await send('VIP')).toMatchObject({ applied: true, replayed: true });
  expect(new Set(bodies).size).toBe(1);
  expect(bodies).toHaveLength(3);
});

test('after an outcome that stays unknown, the abort ends the next call', async () => {
  const { controller, bodies, send, client, signal } = interruptible(
    [
      async (request, body) => {
        controller.abort();
        return failure(503, 'UNAVAILABLE')(request, body);
      },
    ],
    { retry: false },
  );
  await expect(send('VIP')).rejects.toBeInstanceOf(OutcomeUnknownError);
  await expect(client.account({ signal })).rejects.toBeInstanceOf(AbortedError);
  expect(bodies).toHaveLength(1);
});

test('a signal that is aborted already sends nothing', async () => {
  const controller = new AbortController();
  controller.abort();
  const options = { apiKey: 'test-key-1234567890', baseUrl: 'https://api.example.com/api/v1' };
  const { client, signal } = createInterruptibleClient(options, controller.signal);
  await expect(client.changeChat(create('VIP'), { signal })).rejects.toBeInstanceOf(AbortedError);
  expect(await client.operations.list()).toEqual([]);
});

test('a client that ended does not listen to the signal any more', async () => {
  const { controller, signal, end } = interruptible([applied]);
  end();
  controller.abort();
  expect(signal.aborted).toBe(false);
});
