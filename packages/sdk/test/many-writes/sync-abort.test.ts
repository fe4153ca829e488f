import { describe, expect, test } from 'vitest';
import { type BulkProgress, createClient, OutcomeUnknownError, type TagInput } from '../../src/index.ts';
import { mocked } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';

const by = { by: 'name' } as const;
const rowsOf = (count: number): TagInput[] =>
  Array.from({ length: count }, (_, n) => ({ name: `Synced ${n}`, color: 'pink' }));
const statuses = (results: readonly { readonly status: string }[]) => results.map(({ status }) => status);

/** A client whose signal aborts when its n-th request is sent; the request is answered all the same. */
function abortingAt(n: number) {
  const { client, mock, options } = mocked();
  const controller = new AbortController();
  let sent = 0;
  const fetch = async (request: Request): Promise<Response> => {
    if (++sent === n) controller.abort(new Error('SIGTERM'));
    return options.fetch?.(request) as Promise<Response>;
  };
  return { client, mock, signal: controller.signal, aborting: createClient({ ...options, fetch }) };
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])(
  'an abort at request %i resolves to what is done, and resume() continues',
  async (n) => {
    const { client, signal, aborting } = abortingAt(n);
    for (const row of rowsOf(3)) await client.tags.create({ ...row, color: 'blue' });
    const rows = rowsOf(8);
    const first = await aborting.tags.sync(rows, { ...by, signal, concurrency: 2 });
    expect(first.isComplete).toBe(n > 9);
    // What was on its way is done, so no outcome is unknown.
    expect(new Set(statuses(first.results))).not.toContain('unknown');
    expect(first.failed).toBe(0);
    const tags = async () =>
      (await client.tags.list().toArray()).filter(({ name }) => name.startsWith('Synced'));
    const pink = (await tags()).filter(({ color }) => color === 'pink');
    expect(pink).toHaveLength(first.created + first.updated);
    const again = await first.resume();
    expect(again).toMatchObject({ created: 5, updated: 3, isComplete: true });
    expect(await tags()).toHaveLength(8);
  },
);

test('an abort between the rows and the deletions deletes nothing', async () => {
  const { client } = mocked();
  await client.templates.sync([{ name: 'A', text: 'a' }], by);
  const others = (await client.templates.list().toArray()).length - 1;
  const controller = new AbortController();
  const onProgress = ({ done }: BulkProgress) => done === 2 && controller.abort();
  const rows = [
    { name: 'A', text: 'a' },
    { name: 'B', text: 'b' },
  ];
  const options = { ...by, deleteOthers: { max: 50 }, onProgress, signal: controller.signal };
  const first = await client.templates.sync(rows, options);
  expect(first).toMatchObject({ created: 1, unchanged: 1, deleted: 0, skipped: others });
  expect(await first.resume({ onProgress: () => undefined })).toMatchObject({
    created: 1,
    unchanged: 1,
    deleted: others,
    isComplete: true,
  });
});

test('a signal that is aborted already sends nothing, and one in line ends the wait', async () => {
  const { client, mock } = mocked();
  const aborted = await client.tags.sync(rowsOf(2), { ...by, signal: AbortSignal.abort() });
  expect(aborted).toMatchObject({ skipped: 2, isComplete: false });
  expect(mock.requests.list()).toEqual([]);
  const controller = new AbortController();
  const first = client.tags.sync(rowsOf(2), by);
  const second = client.tags.sync(rowsOf(2), { ...by, signal: controller.signal });
  controller.abort();
  expect(await second).toMatchObject({ skipped: 2 });
  expect(await first).toMatchObject({ created: 2 });
});

test.each([
  ['before it reads', 0],
  ['while it reads', 1],
  ['before it sends a change', 2],
])('a resume() that is aborted %s leaves an unknown outcome unknown', async (_when, requests) => {
  const { client, mock, options } = mocked();
  const kept = (await client.templates.list().toArray()).map(({ name, text }) => ({ name, text }));
  await client.templates.create({ name: 'Row 0', text: 'old' });
  await client.templates.create({ name: 'Other', text: 'x' });
  const rows = [...kept, { name: 'Row 0', text: 'new' }, { name: 'Row 1', text: 'new' }];
  let controller = new AbortController();
  let left = Infinity;
  const fetch = async (request: Request): Promise<Response> => {
    if (--left === 0) controller.abort();
    return options.fetch?.(request) as Promise<Response>;
  };
  const once = createClient({ ...options, fetch, retry: false });
  const abortAfter = (count: number): AbortSignal => {
    controller = new AbortController();
    left = count;
    if (count === 0) controller.abort();
    return controller.signal;
  };
  mock.faults.arm({ effect: 'drop-request', operation: 'changeChat', times: 2 });
  const first = await once.templates.sync(rows, { ...by, deleteOthers: true, concurrency: 1 });
  expect(first).toMatchObject({ unchanged: kept.length, unknown: 2, skipped: 1 });
  const onProgress = (): void => {
    if (requests === 2) controller.abort();
  };
  const before = requests === 2 ? Infinity : requests;
  const aborted = await first.resume({ signal: abortAfter(before), onProgress });
  expect(aborted).toMatchObject({ unchanged: kept.length, unknown: 2, skipped: 1, isComplete: false });
  expect(aborted.results.find(({ status }) => status === 'unknown')?.error).toBeInstanceOf(
    OutcomeUnknownError,
  );
  mock.faults.arm({ effect: 'drop-request', action: 'delete-configuration', times: 1 });
  const deleting = await first.resume();
  expect(deleting).toMatchObject({ created: 1, updated: 1, unknown: 1, deleted: 0 });
  expect(await deleting.resume({ signal: abortAfter(before), onProgress })).toMatchObject({
    ...{ created: 1, updated: 1, unknown: 1, deleted: 0, skipped: 0 },
  });
  expect(await deleting.resume()).toMatchObject({ deleted: 1, isComplete: true });
});

test.each([401, 403, 429, 503])(
  'a resume() that is answered %i leaves an unknown outcome unknown: the first request may still arrive',
  async (status) => {
    const { client, mock, options } = mocked();
    const kept = (await client.templates.list().toArray()).map(({ name, text }) => ({ name, text }));
    await client.templates.create({ name: 'Row 0', text: 'old' });
    await client.templates.create({ name: 'Other', text: 'x' });
    const rows = [...kept, { name: 'Row 0', text: 'new' }, { name: 'Row 1', text: 'new' }];
    const once = createClient({ ...options, retry: false });
    const respond = { effect: 'respond', status, operation: 'changeChat', undeclared: true } as const;
    mock.faults.arm({ effect: 'drop-request', operation: 'changeChat', times: 2 });
    const first = await once.templates.sync(rows, { ...by, deleteOthers: true });
    expect(first).toMatchObject({ unknown: 2, skipped: 1 });
    mock.faults.arm({ ...respond, times: 2 });
    expect(await first.resume()).toMatchObject({ unknown: 2, failed: 0, skipped: 1 });
    mock.faults.arm({ effect: 'drop-request', action: 'delete-configuration' });
    expect(await first.resume()).toMatchObject({ created: 1, updated: 1, unknown: 1, deleted: 0 });
    mock.faults.arm({ ...respond, action: 'delete-configuration' });
    expect(await first.resume()).toMatchObject({ created: 1, updated: 1, unknown: 1, failed: 0 });
    expect(await first.resume()).toMatchObject({ deleted: 1, isComplete: true });
  },
);

test('progress counts rows and deletions, and a callback that throws is ignored', async () => {
  const { client } = mocked();
  const others = (await client.templates.list().toArray()).length;
  await client.templates.create({ name: 'A', text: 'a' });
  const rows = ['A', 'B', 'C'].map((name) => ({ name, text: name.toLowerCase() }));
  const seen: BulkProgress[] = [];
  const onProgress = (progress: BulkProgress) => {
    seen.push(progress);
    throw new Error('no terminal');
  };
  await client.templates.sync(rows, { ...by, deleteOthers: { max: 50 }, onProgress });
  expect(new Set(seen.map(({ total }) => total))).toEqual(new Set([3 + others]));
  const done = seen.map((progress) => progress.done);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect([done[0], done.at(-1)]).toEqual([1, 3 + others]);
  expect(seen.at(-1)?.remainingMs).toBe(0);
  const unchanged: BulkProgress[] = [];
  await client.templates.sync(rows, { ...by, onProgress: (progress) => unchanged.push(progress) });
  expect(unchanged).toEqual([{ total: 3, done: 3, failed: 0, unknown: 0, remainingMs: 0 }]);
});

test('resume() refuses what it cannot use', async () => {
  const { resume } = await mocked().client.tags.sync(rowsOf(1), by);
  expect(await getRejection(resume({ dryRun: true } as object))).toMatchObject({
    message: '"dryRun" is not an option of resume(). Options: signal, onProgress.',
  });
  expect((await getRejection(resume({ signal: 1 as never }))).message).toMatch(/^signal must be/);
});

describe('the list', () => {
  /** A client that runs `change` after its n-th answer to a read. */
  function changingAfter(n: number, change: () => Promise<unknown>) {
    const { client, mock, options } = mocked();
    let reads = 0;
    const fetch = async (request: Request): Promise<Response> => {
      const answer = await (options.fetch?.(request) as Promise<Response>);
      if (request.url.endsWith('/chat/read') && ++reads === n) await change();
      return answer;
    };
    return { client, mock, changing: createClient({ ...options, fetch }) };
  }

  test('is read again before anything is created or deleted, if it changed while it was read', async () => {
    const { client, changing } = changingAfter(1, () =>
      client.tags.create({ name: 'Synced 60', color: 'blue' }),
    );
    for (const row of rowsOf(60)) await client.tags.create(row);
    const outcome = await changing.tags.sync(rowsOf(61), by);
    expect(outcome).toMatchObject({ created: 0, updated: 1, unchanged: 60, isComplete: true });
    const named = (await client.tags.list().toArray()).filter(({ name }) => name === 'Synced 60');
    expect(named).toMatchObject([{ color: 'pink' }]);
  });

  test('is read again if one record was created and one deleted between two pages', async () => {
    const { client, changing } = changingAfter(1, async () => {
      await client.tags.create({ name: 'Synced 60', color: 'blue' });
      const [, newest] = (await client.tags.list()).records;
      if (newest) await client.tags.delete(await client.tags.get(newest.id));
    });
    for (const row of rowsOf(60)) await client.tags.create(row);
    const outcome = await changing.tags.sync(rowsOf(61), by);
    expect(outcome).toMatchObject({ created: 1, updated: 1, unchanged: 59, isComplete: true });
    const names = (await client.tags.list().toArray()).map(({ name }) => name);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test('without a total is read again if a deletion between two pages hid a record', async () => {
    const at = mocked();
    for (const row of rowsOf(60)) await at.client.tags.create(row);
    let reads = 0;
    const fetch = async (request: Request): Promise<Response> => {
      const answer = await (at.options.fetch?.(request) as Promise<Response>);
      if (!request.url.endsWith('/chat/read')) return answer;
      const { total: _, ...page } = (await answer.json()) as { readonly total?: number };
      const [newest] = ++reads === 1 ? (await at.client.tags.list()).records : [];
      if (newest) await at.client.tags.delete(await at.client.tags.get(newest.id));
      return Response.json(page, { status: answer.status });
    };
    const server = { server: 1, shapes: { list: { total: null } } } as const;
    const counting = createClient({ ...at.options, fetch, server });
    expect(await counting.tags.sync(rowsOf(60), by)).toMatchObject({ created: 1, unchanged: 59 });
    const names = (await at.client.tags.list().toArray()).map(({ name }) => name);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test('is read again before other records are deleted, if it missed one of them', async () => {
    const { client, changing } = changingAfter(1, async () => {
      const other = await client.tags.find({ name: 'Other' });
      if (other) await client.tags.delete(other);
      await client.tags.create({ name: 'Late', color: 'blue' });
    });
    for (const row of rowsOf(60)) await client.tags.create(row);
    await client.tags.create({ name: 'Other', color: 'blue' });
    const outcome = await changing.tags.sync(rowsOf(60), { ...by, deleteOthers: { max: 50 } });
    expect(outcome).toMatchObject({ created: 0, unchanged: 60, isComplete: true });
    const names = (await client.tags.list().toArray()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(
      rowsOf(60)
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  test('is not read again if nothing is created or deleted', async () => {
    const { client, mock, changing } = changingAfter(1, () =>
      client.tags.create({ name: 'Other', color: 'blue' }),
    );
    for (const row of rowsOf(60)) await client.tags.create(row);
    const before = mock.requests.list().length;
    expect(await changing.tags.sync(rowsOf(60), by)).toMatchObject({ unchanged: 60 });
    expect(mock.requests.list().length - before).toBeLessThanOrEqual(3);
  });

  test('with an empty page that is not the last is in doubt, and nothing is sent', async () => {
    const { client, options } = mocked();
    for (const row of rowsOf(60)) await client.tags.create(row);
    let changes = 0;
    const fetch = async (request: Request): Promise<Response> => {
      if (request.url.endsWith('/chat/changes')) changes++;
      const { offset } = JSON.parse(await request.clone().text()) as { readonly offset?: number };
      const answer = await (options.fetch?.(request) as Promise<Response>);
      if (!offset) return answer;
      return Response.json({ ...((await answer.json()) as object), records: [], limited: true });
    };
    const error = await getRejection(createClient({ ...options, fetch }).tags.sync(rowsOf(70), by));
    expect(error).toMatchObject({ code: 'UNEXPECTED_SHAPE' });
    expect(changes).toBe(0);
  });

  test('that shows summaries is completed by reads by id, which are counted', async () => {
    const { client, options } = mocked();
    for (const row of rowsOf(3)) await client.tags.create(row);
    const count = (await client.tags.list().toArray()).length;
    const fetch = async (request: Request): Promise<Response> => {
      const answer = await (options.fetch?.(request) as Promise<Response>);
      const body = (await answer.json()) as { readonly records?: readonly { id: string; name: string }[] };
      const records = body.records?.map(({ id, name }) => ({ id, name }));
      return Response.json(records ? { ...body, records } : body, { status: answer.status });
    };
    const server = { server: 1, contract: '0.1.0', shapes: { row: { guards: false, data: false } } } as const;
    const outcome = await createClient({ ...options, fetch, server }).tags.sync(
      [...rowsOf(3), { name: 'Synced 3', color: 'blue' }],
      by,
    );
    expect(outcome).toMatchObject({ unchanged: 3, created: 1, readById: count, isComplete: true });
  });
});
