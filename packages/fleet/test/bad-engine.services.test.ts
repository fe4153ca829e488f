import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleText } from '../../../test/test-support/bundle-program.ts';
import { type BadEngine, createEntry, getError } from '../test-support/engines/bad-engine.ts';
import { badPostgres } from '../test-support/engines/bad-postgres.ts';
import { badRedis } from '../test-support/engines/bad-redis.ts';

/* Engines that cannot be used: each gives a clear error, and nothing is sent that is not recorded. */

describe.each<[string, BadEngine]>([
  ['Postgres', badPostgres],
  ['Redis', badRedis],
])('in %s', (_name, engine) => {
  beforeAll(() => engine.start());
  afterAll(() => engine.stop());

  describe.each(engine.cases)('%s', (_what, open, code, says) => {
    test('is reported with what to do', async () => {
      const error = await getError((await open()).add(createEntry('bad')));
      expect(error).toMatchObject({ name: 'FleetError', code, reason: 'journal-unavailable' });
      expect(error.message).toMatch(says);
    });

    test('has nothing sent', async () => {
      const mock = createMock();
      const client = createClient({
        ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
        journal: await open(),
      });
      const error = await getError(client.tags.create({ name: 'VIP', color: 'pink' }));
      expect(error).toMatchObject({ code: 'JOURNAL_FAILED', reason: 'journal-unavailable', cause: { code } });
      expect(mock.requests.list()).toEqual([]);
    });
  });

  test('a read-only engine can still be read', async () => {
    const entry = createEntry('readable', { target: 'read-only' });
    await engine.open().add(entry);
    for (const journal of engine.openReadOnly()) {
      const ids = async () => (await journal.list('read-only')).entries.map(({ operationId }) => operationId);
      // A standby is a moment behind.
      await expect.poll(ids).toEqual(['readable']);
      expect(await journal.get(entry)).toMatchObject({ state: 'pending' });
    }
  });

  test('what is not an entry is reported as a problem, and blocks nothing else', async () => {
    const journal = engine.open();
    const target = 'problems';
    for (const id of [...Object.keys(engine.damaged), 'sound'])
      await journal.add(createEntry(id, { target }));
    await engine.damage();
    const { entries, problems } = await journal.list(target, { open: true });
    expect(entries.map(({ operationId }) => operationId)).toEqual(['sound']);
    expect(Object.fromEntries(problems.map(({ location, reason }) => [location, reason]))).toEqual(
      engine.damaged,
    );
    // They are no entries of a page, or it would look like the last one.
    const page = await journal.list(target, { limit: 1 });
    expect(page.entries.map(({ operationId }) => operationId)).toEqual(['sound']);
    const cut = createEntry('cut', { target });
    const unusable = { reason: 'journal-entry-unusable' };
    expect(await getError(journal.get(cut))).toMatchObject(unusable);
    expect(await getError(journal.claim(cut, { token: 'cut', deadline: cut.deadline }))).toMatchObject(
      unusable,
    );
  });

  test('settled entries are removed after the days that were given', async () => {
    const entry = (id: string, state: 'pending' | 'applied') =>
      createEntry(id, { target: 'cleaning', state });
    const journal = engine.open({ keepSettledDays: 2 });
    for (const id of ['held', 'new', 'old', 'open', 'used']) await journal.add(entry(id, 'pending'));
    const settled = ['held', 'old', 'used'];
    for (const id of settled) await journal.settle(entry(id, 'applied'));
    await journal.claim(entry('held', 'applied'), { token: 'again', deadline: createEntry('x').deadline });
    await engine.age(settled);
    await journal.get(entry('used', 'applied'));
    await engine.untilUsed('used');
    // A new process cleans with its first settlement.
    await engine.open({ keepSettledDays: 2 }).settle(entry('new', 'applied'));
    const ids = async () =>
      (await journal.list('cleaning')).entries.map(({ operationId }) => operationId).sort();
    await expect.poll(ids).toEqual(['held', 'new', 'open', 'used']);
  });

  test.each(engine.programs)('a process ends %s', async (_what, write) => {
    await promisify(execFile)(process.execPath, [bundleText(write())], { timeout: 20_000 });
  });
});
