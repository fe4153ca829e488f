import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMock, type Listening } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deliveryOf, secret } from '../../examples/order-webhook/test-support/order-delivery.ts';
import { deliverOverHttp } from '../../examples/order-webhook/test-support/webhook-tests.ts';
import {
  type BrittleServer,
  openBrittleServer,
} from '../../packages/sdk/test-support/servers/brittle-server.ts';

/*
 * `npm run test:runtimes`: the SDK as it is built and packed, on Node, Bun, Deno and workerd, which npm brings. What each of them
 * does is a row of the table in the README of the SDK.
 */

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

const mock = createMock({ rateLimit: 'off' });
let project: string;
let listening: Listening | undefined;
let brittle: BrittleServer | undefined;
let closedUrl: string;

/** A port where nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'runtimes-'));
  cpSync(join(root, 'test/consumers/runtimes/project'), project, { recursive: true });
  const npm = (args: readonly string[], cwd: string) =>
    execFileSync('npm', [...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const quiet = ['--no-audit', '--no-fund', '--silent'];
  for (const name of ['sdk', 'mock-server']) {
    const folder = join(root, 'packages', name);
    npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', project], folder);
  }
  const tarballs = readdirSync(project).filter((file) => file.endsWith('.tgz'));
  // Not `npm ci`: a lock made on one platform may lack the optional packages of the others.
  npm(['install', '--no-save', ...quiet, ...tarballs.map((file) => `./${file}`)], project);
  listening = await mock.listen({ port: 0 });
  brittle = await openBrittleServer();
  closedUrl = `http://127.0.0.1:${await closedPort()}/api/v1`;
});

beforeEach(() => mock.reset());

afterAll(async () => {
  brittle?.close();
  await listening?.close();
  rmSync(project, { recursive: true, force: true });
});

const given = (runtime: string): string =>
  JSON.stringify({
    baseUrl: listening?.baseUrl,
    controlUrl: listening?.controlUrl,
    brittleUrl: brittle?.baseUrl,
    closedUrl,
    folder: join(project, `journal-${runtime}`),
  });

async function factsOf(runtime: string): Promise<unknown> {
  const [command = '', ...args] = starts[runtime]?.() ?? [];
  const { stdout } = await run(command, [...args, 'main.mjs', given(runtime)], { cwd: project });
  return JSON.parse(stdout);
}

/** What holds on every runtime: nothing is lost or doubled, and a keyword write leaves at most once. */
const everywhere = {
  account: 'string',
  change: { applied: true, tags: 1 },
  lostKeywords: { outcome: 'OutcomeUnknownError', requests: 1 },
  lostKeywordsOwnFetch: { outcome: 'OutcomeUnknownError', requests: 1 },
  uncertainChange: { tags: 1 },
};

/** The runtime hands a broken connection on, and says when a request never left. */
const plain = {
  ...everywhere,
  unknownKeywordsOnBrittleConnections: 0,
  lostChange: { outcome: 'OutcomeUnknownError', requests: 1 },
  refusedConnection: 'ConnectionError',
  fileJournal: 'applied',
  encryptedJournal: 'applied',
};

/** How a runtime is started; Deno gets the permissions that the README names. */
const starts: Readonly<Record<string, () => [command: string, ...args: string[]]>> = {
  Node: () => [process.execPath],
  Bun: () => [join(project, 'node_modules/.bin/bun'), 'run'],
  Deno: () => [
    join(project, 'node_modules/.bin/deno'),
    'run',
    '--no-prompt',
    '--allow-net',
    '--allow-env',
    '--allow-read',
    '--allow-write',
    '--allow-sys',
  ],
};

test.each(Object.entries(starts))(
  'the mock server and the SDK, required and imported: %s',
  async (_, start) => {
    const [command, ...args] = start();
    const { stdout } = await run(command, [...args, 'mock.cjs'], { cwd: project });
    expect(JSON.parse(stdout)).toEqual({ replayed: true, operations: 1, sameClasses: true, notFound: true });
  },
);

test('Node', async () => {
  expect(await factsOf('Node')).toMatchObject(plain);
});

test('Bun', async () => {
  expect(await factsOf('Bun')).toMatchObject(plain);
});

test('Deno: resends a change by itself, and does not report that a request never left', async () => {
  const facts = await factsOf('Deno');
  expect(facts).toMatchObject({
    ...everywhere,
    unknownKeywordsOnBrittleConnections: 0,
    lostChange: { outcome: 'resolved', requests: 2 },
    refusedConnection: 'OutcomeUnknownError',
    fileJournal: 'applied',
    encryptedJournal: 'applied',
  });
});

test('workerd', async () => {
  await bundleWorker('worker.mjs', 'bundle.mjs');
  await withWorkerd('worker.capnp', {}, async (port) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: given('workerd') });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      ...everywhere,
      unknownKeywordsOnBrittleConnections: 20,
      refusedConnection: 'OutcomeUnknownError',
      fileJournal: 'none',
    });
  });
});

test('workerd: the example of a Worker adds the tag of an order once', async () => {
  for (const path of ['workers/worker.ts', 'order-webhook/handle-order.ts'])
    cpSync(join(root, 'examples', path), join(project, path));
  await bundleWorker('workers/worker.ts', 'webhook.mjs');
  const client = createClient({ apiKey: 'demo-write-key', baseUrl: listening?.baseUrl, pacing: false });
  const friend = await client.friends.list({ search: 'Ben' }).first();
  const vip = await client.tags.find({ name: 'VIP' });
  if (!friend || !vip) throw new Error('The demo organization has a friend Ben and a tag VIP');
  const env = {
    ORGCHAT_API_KEY: 'demo-write-key',
    ORGCHAT_BASE_URL: listening?.baseUrl,
    ORDER_TAG_ID: vip.id,
    WEBHOOK_SECRET: secret,
  };
  const delivery = deliveryOf('A-1', friend);
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
  // Twice, because an isolate that is started again has nothing but the event.
  for (const _isolate of ['first', 'second']) {
    await withWorkerd('webhook.capnp', env, async (port) => {
      const deliver = async () => (await deliverOverHttp(port, delivery)).status;
      // The deliveries of one isolate share the client. One that must wait may be asked to come again.
      for (const status of await Promise.all([deliver(), deliver(), deliver()]))
        expect([200, 503]).toContain(status);
      expect(await deliver()).toBe(200);
    });
  }
  expect(mock.requests.list().filter((request) => request.applied)).toHaveLength(1);
  expect((await client.friends.get(friend)).tagIds).toEqual([...friend.tagIds, vip.id]);
});

/** Bundles a file of the project for workerd. */
async function bundleWorker(entry: string, outfile: string): Promise<void> {
  await build({
    absWorkingDir: project,
    entryPoints: [entry],
    outfile: join(project, outfile),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    conditions: ['workerd', 'worker', 'import'],
  });
}

/** Runs workerd with a configuration of the project while `use` sends requests to its port. */
async function withWorkerd(
  config: string,
  env: NodeJS.ProcessEnv,
  use: (port: number) => Promise<void>,
): Promise<void> {
  const args = ['serve', config, '--control-fd=3'];
  const worker: ChildProcess = spawn(join(project, 'node_modules/.bin/workerd'), args, {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  try {
    await use(await listeningPort(worker));
  } finally {
    worker.kill();
  }
}

async function listeningPort(worker: ChildProcess): Promise<number> {
  const control = worker.stdio[3];
  if (!control || !('readable' in control)) throw new Error('workerd has no control channel');
  for await (const line of createInterface({ input: control })) {
    const { event, port }: { event?: string; port?: number } = JSON.parse(line);
    if (event === 'listen' && port !== undefined) return port;
  }
  throw new Error('workerd ended before it listened');
}
