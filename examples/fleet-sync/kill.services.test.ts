import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type PostgresServer,
  startPostgres,
} from '../../packages/fleet/test-support/engines/postgres-server.ts';
import { type ExampleProcess, startExample } from '../test-support/example-process.ts';

/* Three machines run the sync at the same time. One of them is killed with SIGKILL while it creates a record. */

let server: PostgresServer;
const running: ExampleProcess[] = [];

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await server.stop();
});

test('several machines sync one catalog, each record once, although one is killed', async () => {
  const mock = createMock({ rateLimit: 'off' });
  const http = await mock.listen({ port: 0 });
  const catalog = {
    tags: ['Wholesale', 'Spring sale', 'Summer sale'].map((name) => ({ name, color: 'green' })),
    templates: ['Welcome', 'Shipped'].map((name) => ({ name, text: `${name}!` })),
  };
  const path = join(mkdtempSync(join(tmpdir(), 'fleet-sync-')), 'catalog.json');
  writeFileSync(path, JSON.stringify(catalog));
  const env = {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${server.port}/postgres`,
    ORGCHAT_API_KEY: 'demo-write-key',
    ORGCHAT_BASE_URL: http.baseUrl,
  };
  const start = (): ExampleProcess => {
    const job = startExample('fleet-sync/job.ts', env, [path]);
    running.push(job);
    return job;
  };
  const applied = () => mock.requests.list().filter((request) => request.applied);

  mock.faults.arm({ effect: 'delay', operation: 'changeChat', delayMs: 60_000, applied: true });
  const first = start();
  await expect.poll(() => applied().length).toBeGreaterThan(0);
  const others = [start(), start()];
  first.child.kill('SIGKILL');
  expect(await Promise.all([first, ...others].map(({ ended }) => ended))).toEqual([null, 0, 0]);

  expect(applied()).toHaveLength(5);
  const client = createClient({ apiKey: 'demo-write-key', baseUrl: http.baseUrl, pacing: false });
  const names = (await client.tags.list().toArray()).map(({ name }) => name);
  for (const { name } of catalog.tags) expect(names.filter((one) => one === name)).toHaveLength(1);
  const again = start();
  expect([await again.ended, again.lines]).toEqual([0, ['5 unchanged']]);
  expect(applied()).toHaveLength(5);
  await http.close();
});
