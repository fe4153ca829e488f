import { randomUUID } from 'node:crypto';
import type { MockOptions } from '@orgchat/mock-server';
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

/** The first request that creates something: the account and two lists come before it. */
const firstCreation = 4;

const send = async (server: MockedServer, path: string, init: RequestInit = {}): Promise<unknown> => {
  const headers = { authorization: `Bearer ${server.apiKey}` };
  return (await server.fetch(new Request(`${server.baseUrl}${path}`, { headers, ...init }))).json();
};

/** A mock with so many tags, which its limits do not count. */
async function serveTags(count: number, options: MockOptions = {}): Promise<MockedServer> {
  const server = serve(options);
  for (let number = 0; number < count; number++) {
    const change = { action: 'create-tags', data: { name: `Tag ${number}`, color: 'blue' } };
    const body = JSON.stringify({ operationId: randomUUID(), change });
    await send(server, '/chat/changes', { method: 'POST', body });
  }
  return server;
}

const readUsed = async (server: MockedServer): Promise<number> =>
  ((await send(server, '/me')) as { api: { used: number } }).api.used;

async function countTags(server: MockedServer): Promise<number> {
  const init = { method: 'POST', body: JSON.stringify({ resource: 'tags' }) };
  return ((await send(server, '/chat/read', init)) as { total: number }).total;
}

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

  test('also if it arrives after the record of the same name is removed, for which it was refused', async () => {
    const duplicateNames = { status: 409, code: 'name_taken' } as const;
    for (const requests of [7, 8, 9, 10, 11]) {
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

  test('within the budget and the quota, also if its lists are long', async () => {
    const long = await serveTags(330);
    const before = await countTags(long);
    for (const budget of [30, 40, 50, 60, 150]) {
      const { requests, left } = await new CheckHarness().check(long, { only, write, budget });
      expect([left, await countTags(long)]).toEqual([[], before]);
      expect(requests).toBeLessThanOrEqual(budget);
    }
    const server = await serveTags(330, { monthlyLimit: 1000 });
    // Others leave 60 requests above the 5 %.
    const spare = 1000 - 50 - (await readUsed(server)) - 60;
    for (let n = 0; n < spare; n++) await readUsed(server);
    const { left, stopped } = await new CheckHarness().check(server, { only, write, budget: 500 });
    expect([left, stopped?.reason]).toEqual([[], 'quota']);
    expect(await readUsed(server)).toBeLessThanOrEqual(950 + 1);
  });

  test('in no more requests than the budget has, if an earlier command has left more', async () => {
    const server = serve();
    const before = await getRecords(server);
    const harness = new CheckHarness();
    await harness.checkUntilKilled(server, { only, write }, { requests: 30, hasArrived: true });
    const sent = server.mock.requests.list().length;
    const { left, stopped } = await harness.check(server, { only, write, budget: 6 });
    expect([left.length > 0, stopped?.reason]).toEqual([true, 'budget']);
    expect(server.mock.requests.list().length - sent).toBe(6);
    expect((await harness.clean(server)).left).toEqual([]);
    expect(await getRecords(server)).toEqual(before);
  });

  test('and nothing is created if the list cannot be read in which it would be looked for', async () => {
    const server = serve();
    const fetch = async (request: Request): Promise<Response> =>
      (await request.clone().text()).includes('"links"')
        ? Response.json({ error: 'NOT_FOUND', message: 'x' }, { status: 404 })
        : server.fetch(request);
    const { verdicts, left } = await new CheckHarness().check({ ...server, fetch }, { only, write });
    expect(left).toEqual([]);
    expect(server.mock.requests.list().some(({ operation }) => operation === 'changeChat')).toBe(false);
    expect(verdicts.find(({ topic }) => topic === 'write.replay')?.reason).toMatch(/^nothing was created/);
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
