import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEntry, getError } from '../../test-support/engines/bad-engine.ts';
import { type Engine, engineNames, engines } from '../../test-support/engines/engines.ts';
import { type FaultyNetwork, startFaultyNetwork } from '../../test-support/faulty-network.ts';
import { withEvents } from '../../test-support/own-events.ts';

/* What an operator hears of the stores of a process, on the channel of the SDK's events. */

const target = 'fleet-events';
const toHold = (token: string) => ({ token, deadline: new Date(Date.now() + 60_000).toISOString() });
/** A deadline whose lease ends a moment from now. */
const soon = (): string => new Date(Date.now() - 4_900).toISOString();

describe.each(engineNames)('in %s', (name) => {
  const store = name === 'Postgres' ? 'postgresJournal' : 'redisJournal';
  const lock = name === 'Postgres' ? 'postgres' : 'redis';
  let engine: Engine;
  let network: FaultyNetwork;
  beforeAll(async () => {
    engine = await engines[name]();
    network = await startFaultyNetwork(engine.port);
  });
  afterAll(async () => {
    await network.close();
    await engine.stop();
  });

  test(
    'work that another process did not finish is taken over, and its hold is lost there',
    withEvents(async (events) => {
      const [slow, fast] = [engine.open().journal, engine.open().journal];
      const entry = createEntry('late', { target, deadline: soon() });
      await slow.add(entry);
      const claim = async () => (await fast.claim(entry, toHold('fast')))?.entry?.token;
      await expect.poll(claim).toBe('fast');
      expect(await slow.settle({ ...entry, state: 'applied' })).toBe(false);
      expect(events).toEqual([
        { type: 'fleet', event: 'taken-over', store, operationId: 'late' },
        { type: 'fleet', event: 'hold-lost', store, operationId: 'late' },
      ]);
    }),
  );

  test(
    'work that was released or is held by the same call is not reported',
    withEvents(async (events) => {
      const { journal } = engine.open();
      const entry = createEntry('released', { target });
      await journal.add(entry);
      await journal.claim(entry, { ...toHold('released') });
      await journal.settle({ ...entry, state: 'unknown' });
      expect((await journal.claim(entry, toHold('next')))?.entry).toBeDefined();
      expect(events).toEqual([]);
    }),
  );

  test(
    'an engine that cannot be reached is reported once, and when it is back',
    withEvents(async (events) => {
      const { journal, end } = engine.open({ port: network.port, timeoutMs: 1_500 });
      const get = async () => journal.get({ operationId: 'nothing', target });
      await get();
      const reconnect = network.cut();
      for (let n = 0; n < 3; n++) expect(await getError(get())).toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(events).toEqual([{ type: 'fleet', event: 'store-down', store }]);
      reconnect();
      await expect.poll(() => get().catch(() => 'down')).toBeUndefined();
      await get();
      expect(events.slice(1)).toEqual([{ type: 'fleet', event: 'store-up', store }]);
      end();
    }),
  );

  test(
    'a process that counts as dead hears of it, and when it no longer does',
    withEvents(async (events) => {
      const { journal, end } = engine.open({ port: network.port });
      await journal.add(createEntry('locked', { target }));
      const reconnect = network.cut();
      const ofLock = () => events.filter((event) => event.store === lock).map(({ event }) => event);
      await expect.poll(ofLock).toEqual(['lock-lost']);
      reconnect();
      await journal.add(createEntry('locked again', { target }));
      await expect.poll(ofLock).toEqual(['lock-lost', 'lock-regained']);
      end();
    }),
  );

  test(
    'the end of a process is no loss',
    withEvents(async (events) => {
      const { journal, end } = engine.open({ timeoutMs: 1_000 });
      await journal.add(createEntry('last', { target }));
      end();
      const error = await getError(journal.get({ operationId: 'last', target }));
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(events).toEqual([]);
    }),
  );

  test(
    'old operations that are removed are reported',
    withEvents(async (events) => {
      const { journal } = engine.open({ keepSettledDays: 1e-9 });
      for (const id of ['old', 'new']) {
        const entry = createEntry(id, { target });
        await journal.add(entry);
        await journal.settle({ ...entry, state: 'applied' });
      }
      await expect.poll(() => events).toEqual([{ type: 'fleet', event: 'cleaned', store }]);
    }),
  );
});
