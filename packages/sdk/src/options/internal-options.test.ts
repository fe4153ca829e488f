import { describe, expect, test } from 'vitest';
import {
  applied,
  elsewhere,
  failure,
  hang,
  json,
  record,
  replayed,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';
import {
  AbortedError,
  type ChatChange,
  type ClientEvent,
  type ClientOptions,
  memoryJournal,
  OutcomeUnknownError,
} from '../index.ts';
import { endWaitsOnly } from './internal-options.ts';

const create = (name: string): ChatChange => ({ action: 'create-tags', data: { name, color: 'blue' } });

/** A client whose calls have a signal that ends waits only. */
function interruptible(steps: readonly Step[], options: ClientOptions = {}) {
  const controller = new AbortController();
  const call = endWaitsOnly(controller.signal);
  const { client, sent } = scripted(steps, {
    ...elsewhere(),
    journal: memoryJournal(),
    retry: { baseDelayMs: 1, maxDelayMs: 2 },
    ...options,
  });
  const send = (name: string) => client.changeChat(create(name), call);
  return { client, sent, controller, call, send };
}

/** Aborts, lets what the abort ends come to its end, and answers. */
const abortInFlight =
  (abort: () => void, answer: Step): Step =>
  async (request, body) => {
    abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(request.signal.aborted).toBe(false);
    return answer(request, body);
  };

const abortAtWait =
  (reason: 'pacing' | 'retry', abort: () => void) =>
  (event: ClientEvent): void => {
    if (event.type === 'wait' && event.reason === reason) setImmediate(abort);
  };

describe('an abort of a signal that ends waits only', () => {
  test('lets a request finish that is on its way', async () => {
    const abort = (): void => controller.abort();
    const { controller, send } = interruptible([abortInFlight(abort, applied)]);
    expect((await send('VIP')).applied).toBe(true);
  });

  test('lets a read finish that is on its way', async () => {
    const abort = (): void => controller.abort();
    const { client, controller, call } = interruptible([
      abortInFlight(abort, json({ records: [record], total: 1, limited: false })),
    ]);
    expect(await client.tags.list(call)).toMatchObject({ records: [record] });
  });

  test.each<[string, 'pacing' | 'retry', Step, ClientOptions]>([
    ['for a slot of the pacing', 'pacing', applied, { pacing: { perMinute: 1 } }],
    ['after a rate limit', 'retry', failure(429, 'RATE_LIMITED', { 'retry-after': '30' }), {}],
  ])('ends the wait %s, and nothing was applied', async (_wait, reason, second, options) => {
    const abort = (): void => controller.abort();
    const onEvent = abortAtWait(reason, abort);
    const { client, controller, sent, send } = interruptible([applied, second], { ...options, onEvent });
    await send('first');
    await expect(send('second')).rejects.toBeInstanceOf(AbortedError);
    expect(sent).toHaveLength(reason === 'pacing' ? 1 : 2);
    // Both may be of one millisecond, so their order says nothing.
    const entries = await client.operations.list();
    expect(Object.fromEntries(entries.map(({ body, state }) => [body, state]))).toEqual({
      [sent[0]?.body ?? '']: 'applied',
      [entries.find(({ body }) => body !== sent[0]?.body)?.body ?? '']: 'abandoned',
    });
  });

  test('ends the wait of a change while the request of another is on its way', async () => {
    const abort = (): void => controller.abort();
    let answer: (() => void) | undefined;
    const held: Step = async (request, body) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return applied(request, body);
    };
    const { controller, sent, send } = interruptible([held], {
      pacing: { perMinute: 1 },
      onEvent: abortAtWait('pacing', abort),
    });
    const first = send('first');
    await expect(send('second')).rejects.toBeInstanceOf(AbortedError);
    answer?.();
    expect(await first).toMatchObject({ applied: true });
    expect(sent).toHaveLength(1);
  });

  test('lets a change that may have arrived be sent again until it is settled', async () => {
    const abort = (): void => controller.abort();
    const onEvent = abortAtWait('retry', abort);
    const { controller, sent, send } = interruptible(
      // An answer that decides nothing of its own does not settle it.
      [failure(503, 'UNAVAILABLE'), failure(429, 'RATE_LIMITED'), failure(503, 'UNAVAILABLE'), replayed],
      { onEvent, retry: { baseDelayMs: 20, maxDelayMs: 20 } },
    );
    expect(await send('VIP')).toMatchObject({ applied: true, replayed: true });
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(sent).toHaveLength(4);
  });

  test('does not end a change whose attempt takes too long: it may have arrived', async () => {
    const abort = (): void => controller.abort();
    const { controller, sent, send } = interruptible([abortInFlight(abort, hang), replayed], {
      attemptTimeoutMs: 20,
    });
    expect(await send('VIP')).toMatchObject({ applied: true, replayed: true });
    expect(sent).toHaveLength(2);
  });

  test('lets the record be read that shows the outcome of a change', async () => {
    const abort = (): void => controller.abort();
    const update: ChatChange = {
      ...{ action: 'update-tags', id: record.id, expectedRevision: 'b'.repeat(64), expectedLabel: 'VIP' },
      data: { name: 'VIP', color: 'pink' },
    };
    const { client, controller, call } = interruptible([
      abortInFlight(abort, failure(409, 'INPUT_CONFLICT')),
      json({ record }),
    ]);
    const options = { ...call, intent: ['order', 1] };
    expect(await client.changeChat(update, options)).toMatchObject({ applied: true, replayed: true });
  });

  test('ends the next call after an outcome that stays unknown', async () => {
    const abort = (): void => controller.abort();
    const { client, controller, sent, send, call } = interruptible(
      [abortInFlight(abort, failure(503, 'UNAVAILABLE'))],
      { retry: false },
    );
    await expect(send('VIP')).rejects.toBeInstanceOf(OutcomeUnknownError);
    await expect(client.account(call)).rejects.toBeInstanceOf(AbortedError);
    expect(sent).toHaveLength(1);
  });

  test('sends nothing if it came before the call', async () => {
    const { client, controller, sent, send } = interruptible([]);
    controller.abort();
    await expect(send('VIP')).rejects.toBeInstanceOf(AbortedError);
    expect(await client.operations.list()).toEqual([]);
    expect(sent).toEqual([]);
  });
});

test('an abort can also end a change that may have arrived: it stays unknown, for somebody who sends it again', async () => {
  const abort = (): void => controller.abort();
  const onEvent = abortAtWait('retry', abort);
  const { client, controller, sent } = interruptible([failure(503, 'UNAVAILABLE'), replayed], { onEvent });
  const options = endWaitsOnly(controller.signal, { inDoubt: true });
  await expect(client.changeChat(create('VIP'), options)).rejects.toBeInstanceOf(OutcomeUnknownError);
  expect(sent).toHaveLength(1);
  expect(await client.operations.list()).toMatchObject([{ state: 'unknown' }]);
});

test('a 429 can end a call at once, with when to send it again', async () => {
  const limited = failure(429, 'RATE_LIMITED', { 'retry-after': '30' });
  const { client, sent } = interruptible([limited, applied]);
  const options = endWaitsOnly(undefined, { atLimit: true });
  const error = await client.changeChat(create('VIP'), options).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 429, outcome: 'refused', retryAt: expect.any(Date) });
  expect(sent).toHaveLength(1);
});

test('no option with a name makes a signal end waits only', async () => {
  const { client, call } = interruptible([applied]);
  expect(Object.keys(call)).toEqual(['signal']);
  expect(JSON.stringify(call)).toBe('{"signal":{}}');
  const given = { signal: undefined, waitsOnly: true } as object;
  await expect(client.account(given)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
});
