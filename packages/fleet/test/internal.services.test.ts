import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { internalName, type StoreInternals, type StoreLock } from '../src/internal.ts';
import { type Engine, engineNames, engines } from '../test-support/engines/engines.ts';

/* Locks between machines, and the text beside each. */

describe.each(engineNames)('in %s', (engineName) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await engines[engineName]();
  });
  afterAll(() => engine.stop());

  /** The internal methods of a process of its own. */
  function open(): StoreInternals & { end(): void } {
    const { journal, end } = engine.open();
    return { ...(Reflect.get(journal, Symbol.for(internalName)) as StoreInternals), end };
  }

  const isLock = (taken: StoreLock | string): taken is StoreLock => typeof taken !== 'string';
  async function take(name: string, owner: string, ms = 60_000, from = open()): Promise<StoreLock> {
    const taken = await from.lock(name, owner, ms);
    if (isLock(taken)) return taken;
    throw new Error(`${taken} has it`);
  }

  test('a lock has one holder if many take it at once, and says which', async () => {
    const machines = [open(), open(), open(), open()];
    const tries = Array.from({ length: 20 }, (_, n) => machines[n % 4]?.lock('many', `owner ${n}`, 60_000));
    const taken = await Promise.all(tries);
    expect(taken.filter((one) => typeof one === 'object')).toHaveLength(1);
    const owner = `owner ${taken.findIndex((one) => typeof one === 'object')}`;
    expect(new Set(taken.filter((one) => typeof one === 'string'))).toEqual(new Set([owner]));
    await take('another', 'nobody waits');
  });

  test('a lock is free when it is released, and when its time is over', async () => {
    const first = await take('free', 'first');
    await first.release();
    const second = await take('free', 'second', 1);
    await sleep(20);
    // Its time is over, and nobody has taken it.
    expect(await second.renew(60_000)).toBe(true);
    expect(await open().lock('free', 'third', 1)).toBe('second');
    await second.renew(1);
    await sleep(20);
    await take('free', 'third');
  });

  test('a lock that another process took is neither renewed nor released, also when that has ended', async () => {
    const lost = await take('lost', 'first', 1);
    await sleep(20);
    const second = await take('lost', 'second');
    expect(await lost.renew(60_000)).toBe(false);
    await lost.release();
    expect(await open().lock('lost', 'third', 1)).toBe('second');
    await second.release();
    expect(await lost.renew(60_000)).toBe(false);
    await take('lost', 'third');
  });

  test('a lock of a dead process is free long before its time is over', async () => {
    const machine = open();
    await take('dead', 'dead', 3_600_000, machine);
    await sleep(1_100);
    expect(await open().lock('dead', 'next', 1)).toBe('dead');
    machine.end();
    const other = open();
    const free = async () => isLock(await other.lock('dead', 'next', 60_000));
    await expect.poll(free, { interval: 250 }).toBe(true);
  });

  test('a text is replaced as a whole, and stays when its lock ends', async () => {
    expect(await open().text.read('text')).toBeUndefined();
    for (const text of ['{}', 'a longer text, 組織', '']) {
      const machine = open();
      const lock = await take('text', text, 60_000, machine);
      await machine.text.write('text', text);
      await lock.release();
      expect(await open().text.read('text')).toBe(text);
    }
  });
});
