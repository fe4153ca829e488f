import { describe, expect, test } from 'vitest';
import { FleetError } from './fleet-error.ts';
import { type RepeatOptions, repeatCall } from './repeated-call.ts';

const lost = new Error('lost');
const refused = new Error('refused');
/** Refused for a moment. */
const busy = new Error('busy');
const unavailable = (message: string): FleetError => new FleetError(message, { code: 'STORE_UNAVAILABLE' });

function limits(timeoutMs: number): RepeatOptions {
  return {
    timeoutMs,
    isTransient: (cause) => cause === lost || cause === busy,
    isAmbiguous: (cause) => cause !== refused && cause !== busy,
    toError: (cause) => (cause instanceof FleetError ? cause : unavailable(String(cause))),
    createTimeoutError: () => unavailable('too late'),
  };
}

/** Fails in these ways, one after the other, and then answers. */
function failing(...failures: Error[]) {
  return async () => {
    const failure = failures.shift();
    if (failure) throw failure;
    return 'answer';
  };
}

describe('a call', () => {
  test('is repeated while its engine cannot be reached', async () => {
    let doubts = 0;
    expect(await repeatCall(failing(lost, lost), limits(1_000), () => doubts++)).toBe('answer');
    expect(doubts).toBe(0);
  });

  test('that was refused is not repeated, and leaves no doubt', async () => {
    let doubts = 0;
    await expect(repeatCall(failing(refused), limits(1_000), () => doubts++)).rejects.toThrow('refused');
    expect(doubts).toBe(0);
  });

  test('is uncertain if it is refused after a lost reply', async () => {
    let doubts = 0;
    await expect(repeatCall(failing(lost, refused), limits(1_000), () => doubts++)).rejects.toThrow(
      'refused',
    );
    expect(doubts).toBe(1);
  });

  test('may have more time than a timer can wait', async () => {
    const slow = (restMs: number) => new Promise((resolve) => setTimeout(resolve, 20, restMs));
    for (const timeoutMs of [1e12, Infinity]) expect(await repeatCall(slow, limits(timeoutMs))).toBe(2e9);
  });

  test('that ends too late leaves a doubt, and another one when it ends', async () => {
    let doubts = 0;
    let end = (): void => undefined;
    const send = () => new Promise<void>((resolve) => (end = resolve));
    await expect(repeatCall(send, limits(5), () => doubts++)).rejects.toThrow('too late');
    expect(doubts).toBe(1);
    end();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    expect(doubts).toBe(2);
  });

  test('that ends too late after a refusal says why it was refused, and leaves a doubt', async () => {
    let doubts = 0;
    let attempts = 0;
    const send = () => (attempts++ === 0 ? Promise.reject(busy) : new Promise<never>(() => undefined));
    await expect(repeatCall(send, limits(60), () => doubts++)).rejects.toThrow('busy');
    expect([attempts, doubts]).toEqual([2, 1]);
  });

  test('of a driver that throws rejects', async () => {
    const send = (): Promise<never> => {
      throw refused;
    };
    await expect(repeatCall(send, limits(5))).rejects.toThrow('refused');
  });
});
