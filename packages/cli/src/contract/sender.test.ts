import { randomUUID } from 'node:crypto';
import type { MockOptions } from '@orgchat/mock-server';
import { limits } from '@orgchat/spec/limits';
import { describe, expect, test } from 'vitest';
import { CheckHarness } from '../../test-support/contract.ts';
import { alter, getRecords, type MockedServer, serve } from '../../test-support/contract-servers.ts';

const write = 'org_demo';
const only = ['write'] as const;

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

  test('within the budget, also if that does not suffice to send a request again', async () => {
    const server = await serveTags(330);
    const before = await countTags(server);
    const pages = Math.ceil(before / limits.pageSize);
    const harness = new CheckHarness();
    // The account, the links, the tags and a creation come before the request that does not arrive.
    await harness.checkUntilKilled(server, { only, write }, { requests: 4 + pages, hasArrived: false });
    expect(await countTags(server)).toBe(before + 1);
    const removal = 2;
    const { left } = await harness.check(server, { only, write, budget: 1 + pages + removal });
    expect([left.map(({ id }) => id), await countTags(server)]).toEqual([[undefined], before]);
    expect((await harness.clean(server)).left).toEqual([]);
  });

  /** The account, and pages of tags and links, come before it. */
  const firstCreation = 6;

  /** With how many requests each creation has to be sent: then it can be removed again. */
  test.each([
    ['a request is sent again', false, [11]],
    ['a request is sent again, and then another one with an id of its own', true, [11, 16]],
  ])('within the budget and the quota, also if %s', async (_, isUncertain, sufficient) => {
    const description = { server: 1, limits: { pageSize: 1 } } as const;
    for (let budget = 1; budget <= 18; budget++)
      for (const isQuota of [false, true]) {
        const server = serve({ server: description, monthlyLimit: 100 });
        const before = await getRecords(server);
        const harness = new CheckHarness();
        await harness.checkUntilKilled(
          server,
          { only, write },
          { requests: firstCreation, hasArrived: false },
        );
        expect([...harness.files.keys()].some((name) => name.startsWith('scratch-'))).toBe(true);
        let first: string | undefined;
        const created = new Set<string>();
        const unsure = alter(server, async (body, send) => {
          first ??= body.operationId;
          if (body.change.action === 'create-tags') created.add(body.operationId);
          return isUncertain && body.operationId === first
            ? Response.json({ error: 'pending', message: 'x' }, { status: 409 })
            : send(body);
        });
        const spare = 100 - 5 - (await readUsed(server)) - budget - 1;
        for (let n = 0; isQuota && n < spare; n++) await readUsed(server);
        const sent = harness.arrivals.length;
        const { left } = await harness.check(unsure, { only, write, budget: isQuota ? 500 : budget });
        // The request that reads the quota does not count for it.
        const allowed = isQuota ? budget + 1 : budget;
        const creations = sufficient.filter((count) => count <= allowed).length;
        const isEnded = creations > 0 && !isUncertain;
        const records = await getRecords(server);
        expect([allowed, created.size, left.length, records]).toEqual([
          allowed,
          creations,
          isEnded ? 0 : 1,
          before,
        ]);
        expect(harness.arrivals.length - sent).toBeLessThanOrEqual(allowed);
      }
  });
});
