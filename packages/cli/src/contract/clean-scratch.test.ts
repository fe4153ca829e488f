import { describe, expect, test } from 'vitest';
import { CheckHarness } from '../../test-support/contract.ts';
import {
  alter,
  applyTwice,
  changeAnswer,
  getRecords,
  ignoreOperationId,
  type MockedServer,
  serve,
} from '../../test-support/contract-servers.ts';

const write = 'org_demo';
const only = ['write'] as const;

describe('what a check created is removed', () => {
  /** All positions are in the soak. */
  const positions = [2, 3, 5, 8, 12, 20, 26, 31, 38];

  test.each(positions)('after a kill at request %i, by the next run and by a clean-up', async (requests) => {
    for (const hasArrived of [true, false])
      for (const isCleaned of [true, false]) {
        const server = serve();
        const before = await getRecords(server);
        const harness = new CheckHarness();
        await harness.checkUntilKilled(server, { only, write }, { requests, hasArrived });
        const { left } = isCleaned
          ? await harness.clean(server)
          : await harness.check(server, { only, write });
        expect([left, await getRecords(server)]).toEqual([[], before]);
      }
  });

  test('after a kill of a server that applies twice or ignores operationId, by name', async () => {
    for (const plant of [applyTwice, ignoreOperationId])
      for (const requests of [2, 4, 7]) {
        const server = serve();
        const before = await getRecords(server);
        const harness = new CheckHarness();
        await harness.checkUntilKilled(plant(server), { only, write }, { requests, hasArrived: true });
        expect((await harness.clean(plant(server))).left).toEqual([]);
        expect(await getRecords(server)).toEqual(before);
      }
  });

  test('also if the request of a killed check arrives only after the clean-up', async () => {
    const server = serve();
    const before = await getRecords(server);
    const harness = new CheckHarness();
    await harness.checkUntilKilled(server, { only, write }, { requests: 2, hasArrived: false });
    const [entry] = [...harness.files].filter(([name]) => name.startsWith('scratch-'));
    const { entries } = JSON.parse(entry?.[1] ?? '') as { entries: readonly { body: object }[] };
    await harness.clean(server);
    const init = { method: 'POST', headers: { authorization: `Bearer ${server.apiKey}` } };
    const body = JSON.stringify(entries[0]?.body);
    const answer = await server.fetch(new Request(`${server.baseUrl}/chat/changes`, { ...init, body }));
    expect(await answer.json()).toMatchObject({ replayed: true });
    expect(await getRecords(server)).toEqual(before);
  });

  test('also if it arrives after the record of the same name is removed, for which it was refused', async () => {
    const duplicateNames = { status: 409, code: 'name_taken' } as const;
    for (const requests of [5, 6, 7, 8, 9]) {
      const server = serve({ server: { server: 1, behavior: { duplicateNames } } });
      const before = await getRecords(server);
      const harness = new CheckHarness();
      await harness.checkUntilKilled(server, { only, write }, { requests, hasArrived: false });
      const [, text = ''] = [...harness.files].find(([name]) => name.startsWith('scratch-')) ?? [];
      const { entries } = JSON.parse(text) as { entries: readonly { isAnswered: boolean; body: object }[] };
      expect((await harness.clean(server)).left).toEqual([]);
      const headers = { authorization: `Bearer ${server.apiKey}` };
      for (const { body } of entries.filter(({ isAnswered }) => !isAnswered)) {
        const init = { method: 'POST', headers, body: JSON.stringify(body) };
        await server.fetch(new Request(`${server.baseUrl}/chat/changes`, init));
      }
      expect(await getRecords(server)).toEqual(before);
    }
  });

  const killFirst = async (server: MockedServer): Promise<CheckHarness> => {
    const harness = new CheckHarness();
    await harness.checkUntilKilled(server, { only, write }, { requests: 2, hasArrived: false });
    return harness;
  };

  test.each([
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [403, 'PLAN_REQUIRED'],
    [404, 'RUNTIME_UNAVAILABLE'],
    [409, 'OPERATION_UNCERTAIN'],
    [408, 'TIMEOUT'],
    [307, 'MOVED'],
  ])('and a request that is sent again stays in the file if it is answered %i %s', async (status, error) => {
    const server = serve();
    const harness = await killFirst(server);
    const unsure = alter(server, async () => Response.json({ error, message: 'x' }, { status }));
    const { left } = await harness.clean(unsure);
    expect(left).toMatchObject([{ resource: 'tags', id: undefined }]);
    expect((await harness.clean(server)).removed).toHaveLength(1);
  });

  test.each([
    [404, 'RUNTIME_UNAVAILABLE'],
    [409, 'OPERATION_UNCERTAIN'],
    [408, 'TIMEOUT'],
  ])('and a first request that is applied although it is answered %i %s', async (status, error) => {
    const server = serve();
    const before = await getRecords(server);
    const harness = new CheckHarness();
    const late: (() => Promise<Response>)[] = [];
    const unsure = alter(server, async (body, send) => {
      late.push(() => send(body));
      return Response.json({ error, message: 'x' }, { status });
    });
    expect((await harness.check(unsure, { only, write })).left).toContainEqual(
      expect.objectContaining({ id: undefined }),
    );
    for (const arrive of late) await arrive();
    expect((await harness.clean(server)).left).toEqual([]);
    expect(await getRecords(server)).toEqual(before);
  });

  test('not with a key that cannot write', async () => {
    const server = serve();
    const harness = await killFirst(server);
    await expect(harness.clean({ ...server, apiKey: 'demo-read-key' })).rejects.toMatchObject({
      code: 'KEY_REFUSED',
    });
    expect((await harness.clean(server)).removed).toHaveLength(1);
  });

  test('also if neither an answer nor the list shows it until later', async () => {
    const server = serve();
    const before = await getRecords(server);
    const hiding = changeAnswer(server, (answer) => ({ ...answer, result: null }));
    const fetch = async (request: Request): Promise<Response> => {
      const answer = await hiding.fetch(request);
      if (!request.url.endsWith('/chat/read') || answer.status !== 200) return answer;
      const { records, ...rest } = (await answer.json()) as { records?: readonly object[] };
      const known = records?.filter((record) => !JSON.stringify(record).includes('orgchat-check'));
      return Response.json({ ...rest, ...(known && { records: known }) });
    };
    const harness = new CheckHarness();
    const { left } = await harness.check({ ...hiding, fetch }, { only, write });
    expect(left).toContainEqual(expect.objectContaining({ resource: 'tags', id: undefined }));
    expect((await harness.clean({ ...hiding, fetch })).left).toEqual(left);
    expect((await harness.clean(server)).left).toEqual([]);
    expect(await getRecords(server)).toEqual(before);
  });

  test('as far as answers named it if its list cannot be read, and is remembered until it can', async () => {
    const server = serve();
    const before = await getRecords(server);
    const harness = new CheckHarness();
    await harness.checkUntilKilled(server, { only, write }, { requests: 6, hasArrived: true });
    const fetch = async (request: Request): Promise<Response> =>
      (await request.clone().text()).includes('offset')
        ? Response.json({}, { status: 500 })
        : server.fetch(request);
    expect((await harness.clean({ ...server, fetch })).left.length).toBeGreaterThan(0);
    expect(await getRecords(server)).toEqual(before);
    expect((await harness.clean(server)).left).toEqual([]);
  });

  test('and a clean-up that ends early says what it removed, and what is left', async () => {
    const server = serve();
    const failing = alter(server, (body, send) =>
      body.change.action === 'delete-configuration'
        ? Promise.resolve(Response.json({}, { status: 500 }))
        : send(body),
    );
    const harness = new CheckHarness();
    const all = (await harness.check(failing, { only, write })).left.map(({ id }) => id);
    let deletions = 0;
    const stopping = alter(server, (body, send) =>
      ++deletions > 2 ? Promise.reject(new TypeError('fetch failed')) : send(body),
    );
    const { removed, left, stopped } = await harness.clean(stopping);
    expect([removed.length, stopped?.reason]).toEqual([2, 'unreachable']);
    expect([...removed, ...left.map(({ id }) => id)].toSorted()).toEqual(all.toSorted());
    expect((await harness.clean(server)).left).toEqual([]);
  });

  test('within the budget, whatever it is', async () => {
    for (const budget of [1, 2, 9, 17, 18, 21, 29, 38, 45, 60]) {
      const server = serve();
      const before = await getRecords(server);
      const harness = new CheckHarness();
      const { requests, left, stopped } = await harness.check(server, { only, write, budget });
      expect([left, await getRecords(server)]).toEqual([[], before]);
      expect(requests).toBeLessThanOrEqual(budget);
      expect(stopped?.reason).toBe(budget < 60 ? 'budget' : undefined);
    }
  });

  test('not without the flag, but said, and by a command with it', async () => {
    const server = serve();
    const before = await getRecords(server);
    const harness = new CheckHarness();
    await harness.checkUntilKilled(server, { only, write }, { requests: 6, hasArrived: true });
    const sent = server.mock.requests.list().length;
    const { left } = await harness.check(server, { only: ['path'] });
    expect(left).toContainEqual({
      resource: 'tags',
      id: expect.any(String),
      name: expect.stringMatching(/^orgchat-check /),
    });
    expect(
      server.mock.requests
        .list()
        .slice(sent)
        .some(({ operation }) => operation === 'changeChat'),
    ).toBe(false);
    const { removed } = await harness.clean(server);
    expect(removed).toHaveLength(1);
    expect(await getRecords(server)).toEqual(before);
    expect((await harness.clean(server)).removed).toEqual([]);
  });

  test('and a server that fails keeps it in the file, with its id', async () => {
    const server = serve();
    const harness = new CheckHarness();
    const failing = alter(server, (body, send) =>
      body.change.action === 'delete-configuration'
        ? Promise.resolve(Response.json({}, { status: 500 }))
        : send(body),
    );
    const { left } = await harness.check(failing, { only, write });
    expect(left.length).toBeGreaterThan(3);
    expect(left.every(({ id }) => id !== undefined)).toBe(true);
    expect((await harness.clean(server)).left).toEqual([]);
  });
});
