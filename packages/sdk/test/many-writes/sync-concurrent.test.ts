import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createClient, type OrgChatClient, type TagInput } from '../../src/index.ts';
import { atEachDoor, mocked } from '../../test-support/mocked.ts';

const by = { by: 'name' } as const;
const rowsOf = (count: number, color: TagInput['color'] = 'pink'): TagInput[] =>
  Array.from({ length: count }, (_, n) => ({ name: `Synced ${n}`, color }));

/** The synced tags by name, and how often each name is there. */
async function readSynced(client: OrgChatClient) {
  const tags = (await client.tags.list().toArray()).filter(({ name }) => name.startsWith('Synced'));
  return { count: tags.length, names: new Set(tags.map(({ name }) => name)).size, tags };
}

atEachDoor((at) => {
  const elsewhere = (): OrgChatClient => createClient(at.options);

  test.each([
    ['answers that are lost', { effect: 'lose-response', operation: 'changeChat', times: 12 }],
    ['requests that are lost', { effect: 'drop-request', operation: 'changeChat', times: 12 }],
    ['edits of others', { effect: 'rival-edit', times: 4 }],
    ['nothing in the way', undefined],
  ] as const)(
    'syncs of the same rows at once, on three machines, double nothing: %s',
    async (_name, fault) => {
      const rows = rowsOf(30);
      for (const row of rows.slice(0, 8)) await at.client.tags.create({ ...row, color: 'blue' });
      if (fault) at.mock.faults.arm(fault);
      const outcomes = await Promise.all([1, 2, 3].map(() => elsewhere().tags.sync(rows, by)));
      expect(outcomes).toMatchObject(outcomes.map(() => ({ isComplete: true })));
      const { count, names, tags } = await readSynced(at.client);
      expect([count, names]).toEqual([30, 30]);
      expect(tags.every(({ color }) => color === 'pink')).toBe(true);
      const created = outcomes.reduce((sum, outcome) => sum + outcome.created, 0);
      if (!fault) expect(created).toBe(22);
    },
  );

  test('a sync whose answers are lost is unknown, and resume() finishes without a double', async () => {
    const once = createClient({ ...at.options, retry: false });
    const rows = rowsOf(6);
    for (const row of rows.slice(0, 3)) await at.client.tags.create({ ...row, color: 'blue' });
    at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 4 });
    const first = await once.tags.sync(rows, { ...by, concurrency: 1 });
    expect(first).toMatchObject({ unknown: 4, created: 2, isComplete: false });
    expect(await first.resume()).toMatchObject({ unchanged: 4, created: 2, unknown: 0, isComplete: true });
    expect(await readSynced(at.client)).toMatchObject({ count: 6, names: 6 });
  });

  test('a deletion whose answer is lost is found to be done', async () => {
    const once = createClient({ ...at.options, retry: false });
    await at.client.tags.sync(rowsOf(3), by);
    const options = { ...by, where: { color: 'pink' }, deleteOthers: true, concurrency: 1 } as const;
    const own = (await at.client.tags.list().toArray()).filter(
      ({ name, color }) => color === 'pink' && !name.startsWith('Synced'),
    );
    const kept = [...rowsOf(1), ...own.map(({ name, color }) => ({ name, color }))];
    at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
    const first = await once.tags.sync(kept, options);
    expect(first).toMatchObject({ deleted: 1, unknown: 1, isComplete: false });
    expect(await first.resume()).toMatchObject({ deleted: 2, unknown: 0, isComplete: true });
    expect(await readSynced(at.client)).toMatchObject({ count: 1 });
  });
});

describe('in one process', () => {
  test('syncs and upserts of the same labels run one after the other, whatever their data', async () => {
    const { client } = mocked();
    const [pink, blue] = [rowsOf(10), rowsOf(10, 'blue')];
    const [first, second, upserted, third] = await Promise.all([
      client.tags.sync(pink, by),
      client.with({ language: 'ja' }).tags.sync(blue, by),
      client.tags.upsert({ name: 'Synced 3', color: 'green' }, by),
      client.tags.sync(rowsOf(4), by),
    ]);
    expect([first.created, second.updated, upserted.outcome, third.updated]).toEqual([10, 10, 'updated', 4]);
    const { tags, count } = await readSynced(client);
    expect(count).toBe(10);
    expect(tags.filter(({ color }) => color === 'pink')).toHaveLength(4);
  });

  test('a sync begins after the upserts of its labels, so that its list shows what they did', async () => {
    const { client, mock } = mocked();
    const upserts = rowsOf(5).map((row) => client.tags.upsert(row, by));
    const sync = client.tags.sync(rowsOf(5), by);
    await Promise.all(upserts);
    const before = mock.requests.list().length;
    expect(await sync).toMatchObject({ unchanged: 5 });
    expect(mock.requests.list().length - before).toBeLessThanOrEqual(1);
  });

  test('an upsert of a row waits until that row is done, and not for the others', async () => {
    const { client, options } = mocked();
    let hold = true;
    const fetch = async (request: Request): Promise<Response> => {
      const body = await request.clone().text();
      while (hold && body.includes('Synced 1')) await nextTurn();
      return options.fetch?.(request) as Promise<Response>;
    };
    const slow = createClient({ ...options, fetch });
    const sync = slow.tags.sync(rowsOf(2), by);
    expect(await client.tags.upsert({ name: 'Synced 0', color: 'blue' }, by)).toMatchObject({
      outcome: 'updated',
    });
    const last = client.tags.upsert({ name: 'Synced 1', color: 'blue' }, by);
    hold = false;
    expect([(await sync).created, (await last).outcome]).toEqual([2, 'updated']);
    expect(await readSynced(client)).toMatchObject({ count: 2 });
  });

  test('a sync that rejects lets the next upsert begin', async () => {
    const { client, mock } = mocked();
    mock.faults.arm({
      effect: 'respond',
      operation: 'readChat',
      status: 403,
      error: 'FORBIDDEN',
      times: 1,
    });
    const sync = client.tags.sync(rowsOf(2), by).catch((error: Error) => error.name);
    const upsert = client.tags.upsert({ name: 'Synced 1', color: 'blue' }, by);
    expect(await sync).toBe('PermissionError');
    expect(await upsert).toMatchObject({ outcome: 'created' });
  });
});
