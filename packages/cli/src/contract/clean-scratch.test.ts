import { describe, expect, test } from 'vitest';
import { CheckHarness } from '../../test-support/contract.ts';
import {
  alter,
  applyTwice,
  getRecords,
  ignoreOperationId,
  type MockedServer,
  serve,
} from '../../test-support/contract-servers.ts';

const write = 'org_demo';
const only = ['write'] as const;

/** The first request that creates something: the account and two lists come before it. */
const firstCreation = 4;

describe('what a check created is removed', () => {
  /** All positions are in the soak. */
  const positions = [4, 5, 7, 10, 14, 22, 28, 33, 40];

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
      for (const requests of [4, 6, 9]) {
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
    await harness.checkUntilKilled(server, { only, write }, { requests: firstCreation, hasArrived: false });
    const [entry] = [...harness.files].filter(([name]) => name.startsWith('scratch-'));
    const { entries } = JSON.parse(entry?.[1] ?? '') as { entries: readonly { body: object }[] };
    await harness.clean(server);
    const init = { method: 'POST', headers: { authorization: `Bearer ${server.apiKey}` } };
    const body = JSON.stringify(entries[0]?.body);
    const answer = await server.fetch(new Request(`${server.baseUrl}/chat/changes`, { ...init, body }));
    expect(await answer.json()).toMatchObject({ replayed: true });
    expect(await getRecords(server)).toEqual(before);
  });

  const killFirst = async (server: MockedServer): Promise<CheckHarness> => {
    const harness = new CheckHarness();
    await harness.checkUntilKilled(server, { only, write }, { requests: firstCreation, hasArrived: false });
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

  test('as far as answers named it if its list cannot be read, and is remembered until it can', async () => {
    const server = serve();
    const before = await getRecords(server);
    const harness = new CheckHarness();
    await harness.checkUntilKilled(server, { only, write }, { requests: 8, hasArrived: true });
    const fetch = async (request: Request): Promise<Response> =>
      (await request.clone().text()).includes('offset')
        ? Response.json({}, { status: 500 })
        : server.fetch(request);
    expect((await harness.clean({ ...server, fetch })).left.length).toBeGreaterThan(0);
    expect(await getRecords(server)).toEqual(before);
    expect((await harness.clean(server)).left).toEqual([]);
  });

  test.each([
    ['NO_RUNTIME', { error: 'NO_RUNTIME', message: 'x' }],
    ['a page of a proxy', 'Not Found'],
  ])('and stays in the file if its deletion is answered 404 with %s', async (_code, document) => {
    const server = serve();
    const before = await getRecords(server);
    const failing = alter(server, (body, send) =>
      body.change.action === 'delete-configuration'
        ? Promise.resolve(Response.json(document, { status: 404 }))
        : send(body),
    );
    const harness = new CheckHarness();
    await harness.checkUntilKilled(server, { only, write }, { requests: 8, hasArrived: true });
    const { removed, left } = await harness.clean(failing);
    expect(removed).toEqual([]);
    expect(left.length).toBeGreaterThan(0);
    expect((await harness.clean(server)).left).toEqual([]);
    expect(await getRecords(server)).toEqual(before);
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

  test.each([
    ['cannot be read', () => Response.json({ error: 'NOT_FOUND', message: 'x' }, { status: 404 })],
    [
      'has numbers as ids',
      () => Response.json({ records: [{ id: 7, name: 'x' }], total: 1, limited: false }),
    ],
    [
      'has ids that are no UUIDs',
      () =>
        Response.json({ records: [{ id: '7854579e7c8245b2883c7fe787f20c55' }], total: 1, limited: false }),
    ],
  ])('and nothing is created if the list %s in which it would be looked for', async (_, answer) => {
    const server = serve();
    const fetch = async (request: Request): Promise<Response> =>
      (await request.clone().text()).includes('"links"') ? answer() : server.fetch(request);
    const { verdicts, left } = await new CheckHarness().check({ ...server, fetch }, { only, write });
    expect(left).toEqual([]);
    expect(server.mock.requests.list().some(({ operation }) => operation === 'changeChat')).toBe(false);
    expect(verdicts.find(({ topic }) => topic === 'write.replay')?.reason).toMatch(/^nothing was created/);
  });

  test.each([
    ['cannot be read', () => Response.json({ error: 'INVALID_INPUT', message: 'x' }, { status: 400 })],
    [
      'has no revision',
      async (send: () => Promise<Response>) => {
        const { record } = (await (await send()).json()) as { record: object };
        return Response.json({ record: { ...record, revision: undefined } });
      },
    ],
  ])('and nothing is created if a record of the list %s', async (_, answer) => {
    const server = serve();
    const fetch = async (request: Request): Promise<Response> => {
      const { resource, id } = JSON.parse((await request.clone().text()) || '{}') as Record<string, unknown>;
      const isRead = resource === 'tags' && id !== undefined;
      return isRead ? answer(() => server.fetch(request)) : server.fetch(request);
    };
    const { verdicts } = await new CheckHarness().check(
      { ...server, fetch },
      { only: ['one', 'write'], write },
    );
    expect(server.mock.requests.list().some(({ operation }) => operation === 'changeChat')).toBe(false);
    expect(verdicts.find(({ topic }) => topic === 'write.replay')?.reason).toMatch(/^nothing was created/);
  });

  test('also if a server shows it only minutes later, and until then it is not forgotten', async () => {
    const server = serve();
    const before = await getRecords(server);
    const harness = new CheckHarness();
    const shownAt = new Map<string, number>();
    const isShown = ({ id }: { readonly id: string }): boolean => (shownAt.get(id) ?? 0) <= harness.now;
    const noting = alter(server, async (body, send) => {
      const answer = await send(body);
      const { result } = (await answer.clone().json()) as { result?: { id: string } };
      const isNew = String(body.change.action).startsWith('create-') && result !== undefined;
      if (isNew && !shownAt.has(result.id)) shownAt.set(result.id, harness.now + 5 * 60_000);
      return answer;
    });
    const fetch = async (request: Request): Promise<Response> => {
      const answer = await noting.fetch(request);
      if (!request.url.endsWith('/chat/read')) return answer;
      type Rows = readonly { readonly id: string }[];
      const json = (await answer.clone().json()) as { records?: Rows; record?: Rows[number] };
      if (json.record && !isShown(json.record))
        return Response.json({ error: 'NOT_FOUND', message: 'x' }, { status: 404 });
      return json.records ? Response.json({ ...json, records: json.records.filter(isShown) }) : answer;
    };
    const lagging = { ...server, fetch };
    const { left } = await harness.check(lagging, { only, write });
    expect(left.length).toBeGreaterThan(3);
    expect(left.every(({ forgettableAt }) => forgettableAt !== undefined)).toBe(true);
    harness.now += 5 * 60_000;
    expect((await harness.clean(lagging)).left).toEqual([]);
    expect(await getRecords(server)).toEqual(before);
  });

  test.each([
    ['its code is in the description', { uncertain: 'pending' }],
    ['its code is not known', undefined],
  ])('and a request stays in the file whose outcome is uncertain to the server, if %s', async (_, codes) => {
    const server = serve();
    const harness = await killFirst(server);
    let uncertainId: string | undefined;
    let arrive: (() => Promise<Response>) | undefined;
    const unsure = alter(server, async (body, send) => {
      uncertainId ??= body.operationId;
      if (body.operationId !== uncertainId) return send(body);
      arrive = () => send(body);
      return Response.json({ error: 'pending', message: 'x' }, { status: 409 });
    });
    expect((await harness.clean(unsure, { codes })).left).toContainEqual(
      expect.objectContaining({ id: undefined }),
    );
    const before = await getRecords(server);
    await arrive?.();
    expect((await harness.clean(server)).left).toEqual([]);
    expect(await getRecords(server)).toEqual(before);
  });

  test('not without the flag, but said, and by a command with it', async () => {
    const server = serve();
    const before = await getRecords(server);
    const harness = new CheckHarness();
    await harness.checkUntilKilled(server, { only, write }, { requests: 8, hasArrived: true });
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
