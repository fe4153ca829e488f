import { createHmac } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultInput } from '@orgchat/mock-server';
import { createClient, type Friend, operationIdFrom } from '@orgchat/sdk';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Random } from '../../test/test-support/random.ts';
import type { Moment } from './test-support/messages.ts';
import { MockProcess } from './test-support/mock-process.ts';
import { buildPrograms } from './test-support/programs.ts';
import { runCommand, WebhookProcess } from './test-support/service-process.ts';

/*
 * The service and the mock are processes of their own. The service is killed with SIGKILL at moments of its requests and
 * deliveries, while the mock loses and cuts answers and other editors change the friends. Which moments follows from the
 * seed. Whatever they are: nothing is lost, and nothing is done twice.
 */

const seed = Number(process.env.ORGCHAT_TEST_SEED ?? 20_261_122);
const moments: readonly Moment[] = ['arrival', 'applied', 'answered'];
const secret = 'whsec_test';

/** Faults that a client must survive. Each hits one of the next requests. */
const faults: readonly FaultInput[] = [
  { effect: 'drop-request' },
  { effect: 'lose-response' },
  { effect: 'lose-response', operation: 'changeChat' },
  { effect: 'cut-response', operation: 'changeChat' },
  { effect: 'respond', status: 503, undeclared: true },
  { effect: 'rival-edit', action: 'set-friend-tags' },
  { effect: 'uncertain', operation: 'changeChat', resolve: { afterRequests: 1 } },
  { effect: 'uncertain', operation: 'changeChat', applied: false, resolve: { afterRequests: 1 } },
];

let programs: Awaited<ReturnType<typeof buildPrograms>>;
let mock: MockProcess;
let env: NodeJS.ProcessEnv;
const connect = () => createClient({ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, pacing: false });

beforeAll(async () => {
  programs = await buildPrograms();
  mock = await MockProcess.start(programs.mock);
  env = {
    ORGCHAT_API_KEY: 'demo-write-key',
    ORGCHAT_BASE_URL: mock.baseUrl,
    WEBHOOK_SECRET: secret,
    JOURNAL_DIR: mkdtempSync(join(tmpdir(), 'service-journal-')),
  };
});
afterAll(() => mock.end());

interface TestOrder {
  readonly id: string;
  readonly product: string;
  readonly friend: Friend;
}

/** Delivers an order; undefined if the service died before it answered. */
async function deliver(port: number, { id, product, friend }: TestOrder): Promise<number | undefined> {
  const { accountId, userId } = friend;
  const body = JSON.stringify({ id, product, friend: { accountId, userId } });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const request = { method: 'POST', headers: { 'x-signature': signature }, body };
  return fetch(`http://127.0.0.1:${port}/`, request).then(
    ({ status }) => status,
    () => undefined,
  );
}

// Starting 30 processes takes long on a machine that is busy.
it('tags every order once, although the webhook is killed 30 times', { timeout: 300_000 }, async () => {
  const random = new Random(seed);
  const friends = await connect().friends.list().toArray();
  const orders: TestOrder[] = [];
  const acknowledged = new Set<string>();
  const queue: TestOrder[] = [];
  /** Deliveries until the test kills the service by itself; undefined if the mock does it. */
  let killAfter: number | undefined;

  const webhook = new WebhookProcess(programs.service, env, async (pid) => {
    killAfter = undefined;
    if (webhook.deaths >= 30) return;
    await mock.arm({ ...random.pick(faults), after: random.below(20) });
    if (random.percent(30)) killAfter = random.below(8);
    else await mock.killAt(pid, random.pick(moments), random.below(24));
  });

  onTestFinished(() => webhook.abandon());

  /** Kills the service some turns of the event loop after a delivery left. */
  function killLater(turns: number): void {
    if (turns === 0) webhook.kill();
    else setImmediate(() => killLater(turns - 1));
  }

  function nextDelivery(): TestOrder | undefined {
    const waiting = queue.shift();
    if (waiting || webhook.deaths >= 30) return waiting;
    const product = random.pick(['Tea', 'Coffee', 'Cups', 'Books']);
    const order = { id: `A-${orders.length + 1}`, product, friend: random.pick(friends) };
    orders.push(order);
    // The shop delivers some orders twice at the same time.
    if (random.percent(20)) queue.push(order);
    return order;
  }

  async function deliverAll(): Promise<void> {
    for (let order = nextDelivery(); order; order = nextDelivery()) {
      const port = await webhook.ready();
      const answered = deliver(port, order);
      if (killAfter !== undefined && killAfter-- === 0) killLater(random.below(400));
      const status = await answered;
      if (status === 204) acknowledged.add(order.id);
      else queue.push(order);
      expect([204, 503, undefined]).toContain(status);
      // And some again after it was acknowledged.
      if (status === 204 && random.percent(10)) queue.push(order);
    }
  }

  await Promise.all([deliverAll(), deliverAll(), deliverAll()]);
  expect(webhook.deaths).toBe(30);
  expect(await webhook.end()).toBe(0);
  expect([...acknowledged].sort()).toEqual(orders.map(({ id }) => id).sort());

  const { requests, dropped } = await mock.report();
  expect(dropped).toBe(0);
  const applied = requests.filter((request) => request.applied && request.action === 'set-friend-tags');
  const timesApplied = new Map<string, number>();
  for (const { id } of orders) {
    const operationId = await operationIdFrom('order', id);
    timesApplied.set(id, applied.filter((request) => request.operationId === operationId).length);
  }
  const lost = orders.filter(({ id }) => timesApplied.get(id) === 0);
  const doubled = orders.filter(({ id }) => (timesApplied.get(id) ?? 0) > 1);
  expect({ lost, doubled, orders: orders.length }).toEqual({ lost: [], doubled: [], orders: applied.length });
  // Enough deliveries that the kills hit some of them.
  expect(orders.length).toBeGreaterThan(30);

  const tags = await connect().tags.list().toArray();
  for (const friend of friends) {
    const products = orders
      .filter((order) => order.friend === friend)
      .map(({ product }) => `Bought ${product}`);
    const bought = tags.filter(({ name }) => products.includes(name));
    expect(bought.map(({ name }) => name).sort()).toEqual([...new Set(products)].sort());
    const { tagIds } = await connect().friends.get(friend);
    expect([...tagIds].sort()).toEqual([...friend.tagIds, ...bought.map(({ id }) => id)].sort());
  }
});

it('syncs the catalog without duplicates, although the sync is killed', { timeout: 300_000 }, async () => {
  const random = new Random(seed + 1);
  const catalog = new URL('./data/catalog.json', import.meta.url).pathname;
  const sync = (onStart?: (pid: number) => Promise<void>) =>
    runCommand(programs.service, ['sync', catalog], env, onStart);
  for (let run = 0; run < 4; run++) {
    await mock.arm({ ...random.pick(faults.slice(0, 5)), after: random.below(6) });
    await sync((pid) => mock.killAt(pid, random.pick(moments), 2 + random.below(8)));
    await mock.spare();
  }
  while ((await sync()).code !== 0);
  expect(await sync()).toEqual({ code: 0, stdout: '10 unchanged\n' });

  const { tags, templates } = (await import('./data/catalog.json')).default;
  const names = (records: readonly { name: string }[], wanted: readonly { name: string }[]) =>
    records.map(({ name }) => name).filter((name) => wanted.some((one) => one.name === name));
  const found = await connect().tags.list().toArray();
  expect(names(found, tags).sort()).toEqual(tags.map(({ name }) => name).sort());
  const texts = await connect().templates.list().toArray();
  expect(names(texts, templates).sort()).toEqual(templates.map(({ name }) => name).sort());
});

it('sends each keyword once and reports what is unknown, although the import is killed', {
  timeout: 300_000,
}, async () => {
  const random = new Random(seed + 2);
  const keywords = Array.from({ length: 500 }, (_, n) => `word ${n + 1}`);
  const file = join(env.JOURNAL_DIR ?? '', '../words.txt');
  writeFileSync(file, keywords.join('\n'));
  const run = (args: readonly string[] = [], onStart?: (pid: number) => Promise<void>) =>
    runCommand(programs.service, ['import', file, 'demo-site', ...args], env, onStart);
  await mock.arm({ effect: 'lose-response', operation: 'addSeoKeywords' });
  await mock.arm({ effect: 'drop-request', operation: 'addSeoKeywords', after: 3 });
  for (let killed = 0; killed < 4; killed++) {
    await run([], (pid) => mock.killAt(pid, random.pick(moments), random.below(2)));
    await mock.spare();
  }
  const { code, stdout } = await run();
  const unknown = stdout.split('\n').flatMap((line) => /^unknown: (.*)/.exec(line)?.[1] ?? []);
  expect(code).toBe(1);
  expect(unknown.length).toBeGreaterThan(0);

  // A keyword is sent at most once. One that no whole request had, because its import was killed first, is unknown.
  const { sentKeywords, keywords: onSite } = await mock.report();
  expect(sentKeywords.filter((word, n) => sentKeywords.indexOf(word) !== n)).toEqual([]);
  expect(keywords.filter((word) => !sentKeywords.includes(word) && !unknown.includes(word))).toEqual([]);
  expect(keywords.filter((word) => !onSite.includes(word) && !unknown.includes(word))).toEqual([]);
  // The site skips what it has, so a person who needs all of them may send the unknown ones again.
  expect(await run(['--retry-unknown'])).toMatchObject({ code: 0 });
  const after = (await mock.report()).keywords.filter((word) => keywords.includes(word));
  expect(after.sort()).toEqual([...keywords].sort());
});
