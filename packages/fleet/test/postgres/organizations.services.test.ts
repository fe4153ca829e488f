import type { Mock } from '@orgchat/mock-server';
import { type ChatChange, type ClientOptions, createClient } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrate, outbox, postgresJournal } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { findFreePort } from '../../test-support/free-port.ts';
import { inTransaction } from '../../test-support/in-transaction.ts';
import { startRelay } from '../../test-support/programs/start-worker.ts';
import {
  connectTo,
  createTwoOrganizations,
  listTags,
  type OrganizationId,
  organizations,
} from '../../test-support/two-organizations.ts';

/* Two organizations have their changes in one database, with the same intents. Each change is applied in its own. */

let server: PostgresServer;
let pool: pg.Pool;
let mock: Mock;
let boxCount = 0;
/** The outbox of each test, in both organizations. */
let name: string;

beforeAll(async () => {
  server = await startPostgres();
  pool = server.pool({ max: 20 });
  await migrate(pool);
});
afterAll(() => server.stop());
beforeEach(() => {
  mock = createTwoOrganizations();
  name = `box-${++boxCount}`;
});

const create = (tag: string): ChatChange => ({ action: 'create-tags', data: { name: tag, color: 'pink' } });
const open = (organization: OrganizationId) => outbox(pool, { organization, name });
const connect = (organization: OrganizationId, options: ClientOptions = {}) =>
  connectTo(mock, organization, { journal: postgresJournal(pool), ...options });

/** Commits a change under the same intent in both organizations. */
async function addToBoth(order: number): Promise<string[]> {
  const ids: string[] = [];
  for (const organization of organizations) {
    const box = open(organization);
    const change = create(`${order} of ${organization}`);
    const add = (tx: pg.PoolClient) => box.add(tx, change, { intent: ['order', order] });
    ids.push((await inTransaction(pool, add)).operationId);
  }
  return ids;
}

const sent = (): number => mock.requests.list().filter(({ operation }) => operation === 'changeChat').length;

test('the same intent is a change of each organization, under the same operationId', async () => {
  const [first, second] = await addToBoth(17);
  expect(first).toBe(second);
  for (const organization of organizations) {
    const box = open(organization);
    expect(await box.list()).toMatchObject([{ operationId: first, change: create(`17 of ${organization}`) }]);
    expect(await box.drain(connect(organization))).toEqual({ applied: 1, left: [] });
    expect(listTags(mock, organization)).toEqual([`17 of ${organization}`]);
  }
});

test('removing a change leaves that of the other organization', async () => {
  const [id = ''] = await addToBoth(18);
  expect(await open('org_a').remove(id)).toBe(true);
  expect(await open('org_a').list()).toEqual([]);
  expect(await open('org_b').list()).toHaveLength(1);
});

describe('a relay with a client of another organization', () => {
  const says = /organization "org_b".* organization "org_a".*Nothing was sent\./;
  const refused = { code: 'KEY_OF_ANOTHER_ORGANIZATION', message: expect.stringMatching(says) };

  test('refuses, names both, and sends nothing', async () => {
    await addToBoth(1);
    const client = connect('org_a');
    const box = open('org_b');
    const before = await box.list();
    for (let time = 0; time < 2; time++) await expect(box.drain(client)).rejects.toMatchObject(refused);
    await expect(box.run(client)).rejects.toMatchObject(refused);
    expect(mock.requests.list().map(({ operation }) => operation)).toEqual(['getAccount']);
    // The change is as it was, and another relay takes it at once.
    expect(await box.list()).toEqual(before);
    expect(await box.drain(connect('org_b'))).toEqual({ applied: 1, left: [] });
    expect(listTags(mock, 'org_a')).toEqual([]);
  });

  test('is refused when it starts, although nothing waits', async () => {
    await expect(open('org_b').run(connect('org_a'))).rejects.toMatchObject(refused);
  });
});

test('run() ends at once by its signal, although account() has no answer yet', async () => {
  await addToBoth(1);
  const before = await open('org_a').list();
  const abort = new AbortController();
  let hasAsked = false;
  const fetch = () => {
    hasAsked = true;
    return new Promise<Response>(() => undefined);
  };
  const running = open('org_a').run(connect('org_a', { fetch }), { signal: abort.signal });
  await expect.poll(() => hasAsked).toBe(true);
  const abortedAt = performance.now();
  abort.abort();
  await running;
  expect(performance.now() - abortedAt).toBeLessThan(10_000);
  expect(await open('org_a').list()).toEqual(before);
});

test('a client is asked once, and not at all while there is nothing to send', async () => {
  const client = connect('org_a');
  await open('org_a').drain(client);
  expect(mock.requests.list()).toEqual([]);
  for (const order of [1, 2, 3]) {
    await addToBoth(order);
    expect((await open('org_a').drain(client)).applied).toBe(1);
  }
  expect(mock.requests.list().filter(({ operation }) => operation === 'getAccount')).toHaveLength(1);
});

describe('while account() fails, changes stay open, and are applied once afterwards:', () => {
  test.each<[string, () => () => void]>([
    [
      'an API that answers 500',
      () => {
        mock.faults.arm({ effect: 'respond', status: 500, operation: 'getAccount', times: 1_000 });
        return () => mock.faults.disarm();
      },
    ],
    [
      'a server of something else, which answers 404',
      () => {
        mock.faults.arm({
          effect: 'respond',
          status: 404,
          undeclared: true,
          operation: 'getAccount',
          times: 1_000,
        });
        return () => mock.faults.disarm();
      },
    ],
    [
      'a revoked key',
      () => {
        for (const id of organizations) mock.patchKey(`key-${id}`, { revoked: true });
        return () => {
          for (const id of organizations) mock.patchKey(`key-${id}`, { revoked: false });
        };
      },
    ],
  ])('%s', async (_what, breakApi) => {
    const heal = breakApi();
    await addToBoth(1);
    const abort = new AbortController();
    const runs = organizations.map((id) => open(id).run(connect(id), { signal: abort.signal }));
    for (const id of organizations)
      await expect
        .poll(async () => (await open(id).list())[0])
        .toMatchObject({ state: 'open', error: expect.stringContaining('account() failed') });
    // A drain asks at once, and says what it could not send.
    const { applied, left } = await open('org_a').drain(connect('org_a'));
    expect({ applied, left }).toMatchObject({ applied: 0, left: [{ state: 'open' }] });
    expect(sent()).toBe(0);
    heal();
    const waiting = async () => [await open('org_a').list(), await open('org_b').list()];
    await expect.poll(waiting).toEqual([[], []]);
    abort.abort();
    await Promise.all(runs);
    for (const id of organizations) expect(listTags(mock, id)).toEqual([`1 of ${id}`]);
    expect(sent()).toBe(2);
  });

  test('an address where nothing listens', async () => {
    await addToBoth(1);
    const baseUrl = `http://127.0.0.1:${await findFreePort()}/api/v1`;
    const client = createClient({ apiKey: 'key-org_a', baseUrl, pacing: false, retry: false });
    for (const time of [1, 2])
      expect((await open('org_a').drain(client)).left).toMatchObject([{ state: 'open', attempts: time }]);
    const http = await mock.listen({ port: Number(new URL(baseUrl).port) });
    expect(await open('org_a').drain(client)).toEqual({ applied: 1, left: [] });
    await http.close();
  });
});

test('relays of both organizations that are killed lose nothing, double nothing and mix nothing up', async () => {
  const http = await mock.listen({ port: 0 });
  name = 'default';
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 10, probability: 0.3 });
  const start = (id: OrganizationId) => startRelay(server.port, http.baseUrl, id, `key-${id}`);
  let relays = organizations.flatMap((id) => [start(id), start(id)]);
  for (let order = 0; order < 30; order++) {
    await addToBoth(order);
    if (order % 10 !== 5) continue;
    const isReady = () => relays.every(({ lines }) => lines.includes('ready'));
    await expect.poll(isReady).toBe(true);
    for (const relay of relays) relay.signal('SIGKILL');
    relays = organizations.flatMap((id) => [start(id), start(id)]);
  }
  const waiting = async () => [await open('org_a').list(), await open('org_b').list()];
  await expect.poll(waiting, { timeout: 60_000, interval: 500 }).toEqual([[], []]);
  for (const relay of relays) relay.signal('SIGKILL');
  await Promise.all(relays.map(({ ended }) => ended));
  for (const id of organizations) {
    const expected = Array.from({ length: 30 }, (_, order) => `${order} of ${id}`).sort();
    expect(listTags(mock, id)).toEqual(expected);
  }
  await http.close();
});
