import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { durable, type RedisServer, startRedis } from '../../../fleet/test-support/engines/redis-server.ts';
import { builtCommand } from '../../test-support/build.ts';
import { createMachines, type Machines } from '../../test-support/machines.ts';

/* Commands on several machines share a journal in Redis, with each of both drivers. */

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const password = 'a long secret';

/** The command with node-redis beside it, and without ioredis. */
function installWithNodeRedis(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'node-redis-')), 'node_modules');
  mkdirSync(join(folder, '@orgchat'), { recursive: true });
  cpSync(dirname(dirname(builtCommand().entry)), join(folder, '@orgchat/cli'), { recursive: true });
  for (const name of ['@orgchat/fleet', '@orgchat/sdk', 'redis'])
    symlinkSync(join(root, 'node_modules', name), join(folder, name));
  return join(folder, '@orgchat/cli/bin/orgchat.cjs');
}

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis([...durable, '--requirepass', password]);
});
afterAll(() => server.stop());

const url = (secret = password): string => `redis://:${encodeURIComponent(secret)}@127.0.0.1:${server.port}`;
const tag = (name: string): string[] => ['tags', 'create', '--name', name, '--color', 'pink'];

describe.each([
  ['ioredis', () => builtCommand().entry],
  ['node-redis', installWithNodeRedis],
])('with %s', (driver, install) => {
  let machines: Machines;
  beforeAll(async () => {
    machines = await createMachines(`${url()}?prefix=${driver}`, install());
  });
  afterAll(() => machines.end());
  beforeEach(() => machines.mock.reset());

  test('another machine finishes what a kill left, and no import sends a keyword twice', async () => {
    const [one, other] = [machines.add(), machines.add()];
    const migrated = await other.run('ops', 'migrate');
    const journal = `redis://127.0.0.1:${server.port}?prefix=${driver}`;
    expect(migrated).toMatchObject({ code: 0, json: { journal, migrated: true } });

    for (const machine of [one, other])
      writeFileSync(
        join(machine.folder, 'words.txt'),
        Array.from({ length: 60 }, (_, n) => `w${n}`).join('\n'),
      );
    const importing = ['keywords', 'import', 'demo-site', 'words.txt'];
    const delay = { effect: 'delay', delayMs: 60_000, applied: true } as const;
    machines.mock.faults.arm({ ...delay, operation: 'addSeoKeywords', after: 1 });
    machines.mock.faults.arm({ ...delay, operation: 'changeChat' });
    const killed = [one.begin(...tag('Killed')), one.begin(...importing)];
    await expect.poll(() => machines.mock.requests.list().length).toBe(3);
    const second = await other.run(...importing);
    expect([second.code, second.json.error]).toMatchObject([
      5,
      { code: 'IMPORT_UNDER_WAY', holder: { pid: killed[1]?.child.pid } },
    ]);
    for (const { child } of killed) child.kill('SIGKILL');
    await Promise.all(killed.map(({ ended }) => ended));
    const resumed = await other.run('ops', 'resume', '--all', '--wait');
    expect([resumed.code, resumed.json]).toMatchObject([
      7,
      [{ kind: 'change', state: 'applied', replayed: true }, {}],
    ]);
    const next = await other.run(...importing);
    expect([next.code, next.json.added?.length, next.json.unknown?.[0]?.keywords?.length]).toEqual([
      7, 50, 10,
    ]);
    const sent = machines.mock.requests.list().filter(({ operation }) => operation === 'addSeoKeywords');
    expect(sent).toHaveLength(2);
  });

  test('ops forget removes an entry that cannot be read', async () => {
    const machine = machines.add();
    const written = await machine.run(...tag('Damaged'));
    const id = String(written.json.operationId);
    const client = server.ioredis({ password });
    const [key = ''] = await client.keys(`*entry:${id}`);
    await client.hset(key, 'entry', '{"body');
    const shown = await machine.run('ops', 'show', id);
    expect([shown.code, shown.json.error?.hint]).toEqual([
      1,
      `Check the outcome of that operation in the app, then run: orgchat ops forget ${id}`,
    ]);
    expect((await machine.run('ops', 'forget', id)).json.error?.code).toBe('CONFIRMATION_NEEDED');
    expect(await machine.run('ops', 'forget', id, '--yes')).toMatchObject({
      code: 0,
      json: { operationId: id, forgotten: true },
    });
    expect((await machine.run('ops', 'forget', id, '--yes')).code).toBe(6);
    expect(await client.keys(`*${id}*`)).toEqual([]);
  });

  test('a wrong password sends nothing and is not shown', async () => {
    const machine = machines.add({ ORGCHAT_JOURNAL: url('geheim12') });
    const { code, json, stdout, stderr } = await machine.run(...tag('Nothing'), '--debug');
    expect([code, json.error]).toMatchObject([4, { code: 'STORE_CREDENTIALS' }]);
    expect(stdout + stderr).not.toMatch(/geheim12|a long secret|a%20long/);
    expect(machines.mock.operations()).toEqual([]);
  });
});

test('an engine that is down ends the command, with nothing sent', async () => {
  // The client of node-redis connects by itself, and tries forever.
  const machines = await createMachines('redis://127.0.0.1:1', installWithNodeRedis());
  const machine = machines.add();
  const { code, json } = await machine.run(...tag('Nothing'));
  expect([code, json.error]).toMatchObject([1, { code: 'STORE_UNAVAILABLE' }]);
  expect(machines.mock.operations()).toEqual([]);
  await machines.end();
});
