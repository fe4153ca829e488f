import { expect, test } from 'vitest';
import { AbortedError, type ClientEvent } from '../../src/index.ts';
import { elsewhere, failure, json, type Step, scripted } from '../../test-support/servers/scripted.ts';

const words = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `word ${from + n}`);

const accept: Step = (request, body) => {
  const { keywords } = JSON.parse(body) as { keywords: string[] };
  return json({ added: keywords, skipped: [] }, 201)(request, body);
};

test('an abort lets the request finish that is on its way, and sends no other', async () => {
  const controller = new AbortController();
  const { client, sent } = scripted([
    async (request, body) => {
      controller.abort(new Error('SIGTERM'));
      await new Promise((resolve) => setImmediate(resolve));
      expect(request.signal.aborted).toBe(false);
      return accept(request, body);
    },
    accept,
  ]);
  const { added, unknown, notSent, error, resume } = await client.keywords.import('s', words(120), {
    signal: controller.signal,
  });
  expect([added, unknown, notSent]).toEqual([words(50), [], words(70, 50)]);
  expect(error).toBeInstanceOf(AbortedError);
  expect((error as Error).cause).toEqual(new Error('SIGTERM'));
  expect(sent).toHaveLength(1);
  // The signal of the first run does not count for the next one.
  expect((await resume()).added).toHaveLength(120);
});

test.each<[string, 'pacing' | 'retry', Step]>([
  ['for a slot of the pacing', 'pacing', accept],
  ['after a rate limit', 'retry', failure(429, 'RATE_LIMITED', { 'retry-after': '30' })],
])('an abort ends the wait %s at once', async (_wait, reason, second) => {
  const controller = new AbortController();
  // Ends the wait as soon as it begins. A test that has to wait for it would take half a minute.
  const onEvent = (event: ClientEvent): void => {
    if (event.type === 'wait' && event.reason === reason) setImmediate(() => controller.abort());
  };
  const pacing = reason === 'pacing' ? { perMinute: 1 } : (false as const);
  const { client, sent } = scripted([accept, second], { ...elsewhere(), pacing, onEvent });
  const { added, notSent, unknown, error } = await client.keywords.import('s', words(60), {
    signal: controller.signal,
  });
  expect([added, notSent, unknown]).toEqual([words(50), words(10, 50), []]);
  expect(error).toBeInstanceOf(AbortedError);
  expect(sent).toHaveLength(reason === 'pacing' ? 1 : 2);
  expect(await client.operations.list({ open: true })).toEqual([]);
});

test('a signal that is aborted already sends nothing', async () => {
  const { client, sent } = scripted([accept]);
  const signal = AbortSignal.abort();
  const { notSent, error } = await client.keywords.import('s', words(3), { signal });
  expect([notSent, sent]).toEqual([words(3), []]);
  expect(error).toBeInstanceOf(AbortedError);
});

test('the signal has no listener when the import has ended', async () => {
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  const isAdded = new Set<unknown>();
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    isAdded.add(given[1]);
    listeners++;
    add(...given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    if (isAdded.delete(given[1])) listeners--;
    remove(...given);
  };
  const { client } = scripted([accept]);
  await client.keywords.import('s', words(120), { signal });
  expect(listeners).toBe(0);
});
