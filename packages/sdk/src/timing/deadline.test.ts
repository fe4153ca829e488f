import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clock } from '../../test-support/clock.ts';
import { failed } from '../../test-support/rejection.ts';
import { cutBody, failure, hang, json, type Step, scripted } from '../../test-support/servers/scripted.ts';
import { DeadlineError, OutcomeUnknownError, ServerError } from '../index.ts';

const failing = failure(500, 'X');
const empty = json({ records: [], total: 0, limited: false });
const vip = { name: 'VIP', color: 'pink' } as const;

/** `failed` with the clock of the test, which advances this far. A call that waits longer never ends. */
async function failedWithin(ms: number, call: () => PromiseLike<unknown>): ReturnType<typeof failed> {
  const result = failed(call());
  await vi.advanceTimersByTimeAsync(ms);
  return result;
}

describe('one deadline', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: [...clock.toFake] });
    // Each wait is half of the longest, so that none ends when the deadline does.
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test.each<[string, readonly Step[]]>([
    ['an attempt', [hang]],
    ['a body', [cutBody(200, false)]],
    ['attempts and waits', [failing]],
  ])('covers %s', async (_name, steps) => {
    const { client } = scripted(steps, {
      timeoutMs: 40,
      retry: { maxAttempts: 1000, baseDelayMs: 5, maxDelayMs: 10 },
    });
    const { error, ms } = await failedWithin(40, () => client.account());
    expect(error).toBeInstanceOf(steps[0] === failing ? ServerError : DeadlineError);
    expect(ms).toBeLessThanOrEqual(40);
  });

  test('leaves a change in progress unknown', async () => {
    const { client } = scripted([hang], { timeoutMs: 30 });
    // What entries are bound to is digested outside of the clock, once.
    await client.operations.list();
    const { error } = await failedWithin(30, () => client.tags.create(vip));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect((error as Error).cause).toBeInstanceOf(DeadlineError);
  });

  test('of one call replaces that of the client', async () => {
    const { client } = scripted([hang], { timeoutMs: 60_000 });
    const { error } = await failedWithin(20, () => client.account({ timeoutMs: 20 }));
    expect(error).toBeInstanceOf(DeadlineError);
  });

  test('of an attempt does not multiply it', async () => {
    const { client, sent } = scripted([hang], {
      timeoutMs: 60,
      attemptTimeoutMs: 20,
      retry: { baseDelayMs: 1 },
    });
    const { ms } = await failedWithin(60, () => client.account());
    expect(sent.length).toBeGreaterThan(1);
    expect(ms).toBeLessThanOrEqual(60);
  });

  test.each([0, -1, Number.NaN])('of %s is rejected', async (timeoutMs) => {
    const { client } = scripted([empty]);
    expect((await failed(client.account({ timeoutMs }))).error).toMatchObject({ code: 'INVALID_OPTIONS' });
  });
});
