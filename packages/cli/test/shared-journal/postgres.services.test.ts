import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../fleet/test-support/engines/postgres-server.ts';
import { builtCommand } from '../../test-support/build.ts';
import { createMachines, type Machines } from '../../test-support/machines.ts';

/* Commands on several machines share a journal in Postgres. Each machine has a home and a state directory of its own. */

let server: PostgresServer;
let machines: Machines;
let journal: string;

beforeAll(async () => {
  server = await startPostgres();
  const pool = server.pool({ max: 1 });
  await pool.query("CREATE USER expiring PASSWORD 'the right one'");
  journal = `postgres://postgres@127.0.0.1:${server.port}/postgres`;
  machines = await createMachines(journal);
  await machines.add().run('ops', 'migrate');
});
afterAll(async () => {
  await machines.end();
  await server.stop();
});
beforeEach(() => machines.mock.reset());

const tag = (name: string, ...more: string[]): string[] => [
  ...['tags', 'create', '--name', name, '--color', 'pink'],
  ...more,
];

describe('a journal that several machines share', () => {
  test('has the operations of all of them, and none of them is in a state directory', async () => {
    const [one, other] = [machines.add(), machines.add()];
    const created = await one.run(...tag('Shared', '--intent', 'shared'));
    expect(created).toMatchObject({ code: 0, json: { replayed: false } });
    const again = await other.run(...tag('Shared', '--intent', 'shared'));
    expect(again).toMatchObject({ code: 0, json: { replayed: true } });
    const { json } = await other.run('ops', 'show', String(created.json.operationId));
    expect(json.state).toBe('applied');
    expect([readdirSync(one.state), readdirSync(other.state)]).toEqual([[], []]);
    const alone = await machines.add({ ORGCHAT_JOURNAL: undefined }).run('ops', 'list');
    expect(alone.json).toEqual([]);
  });

  test('is finished by another machine after a kill', async () => {
    const [one, other] = [machines.add(), machines.add()];
    machines.mock.faults.arm({ effect: 'delay', delayMs: 60_000, applied: true });
    const { child, ended } = one.begin(...tag('Killed'));
    await expect.poll(() => machines.mock.operations()).toHaveLength(1);
    const held = await other.run('ops', 'resume', '--all');
    expect(held.json).toMatchObject([{ state: 'pending', error: { code: 'OPERATION_IN_FLIGHT' } }]);
    child.kill('SIGKILL');
    await ended;
    const resumed = await other.run('ops', 'resume', '--all', '--wait');
    expect(resumed).toMatchObject({ code: 0, json: [{ state: 'applied', replayed: true }] });
    expect(machines.mock.requests.list().filter(({ applied }) => applied)).toHaveLength(1);
  });

  test('has a change of change.json once, whichever machine sends it', async () => {
    const [one, other] = [
      machines.add({ ORGCHAT_JOURNAL: undefined }),
      machines.add({ ORGCHAT_JOURNAL: undefined }),
    ];
    const change = ['change', '-', '--journal', journal, '--intent', 'nightly-17'];
    for (const machine of [one, other])
      machine.input = JSON.stringify({ action: 'create-tags', data: { name: 'Nightly', color: 'pink' } });
    machines.mock.faults.arm({ effect: 'delay', delayMs: 60_000, applied: true });
    const { child, ended } = one.begin(...change);
    await expect.poll(() => machines.mock.operations()).toHaveLength(1);
    // It waits for the other machine, within its deadline.
    const held = await other.run('--timeout', '3s', ...change);
    expect([held.code, held.json.error?.code]).toEqual([5, 'OPERATION_IN_FLIGHT']);
    child.kill('SIGKILL');
    await ended;
    const [resumed, again] = [await other.run(...change), await one.run(...change)];
    const { operationId, result } = resumed.json;
    expect(resumed).toMatchObject({
      code: 0,
      json: { applied: true, replayed: true, result: { name: 'Nightly' } },
    });
    expect(again).toMatchObject({ code: 0, json: { operationId, applied: true, replayed: true, result } });
    expect(machines.mock.operations()).toMatchObject([{ operationId }]);
    other.input = JSON.stringify({ action: 'create-tags', data: { name: 'Nightly', color: 'green' } });
    const different = await other.run(...change);
    expect([different.code, different.json.error?.code]).toEqual([5, 'INPUT_CONFLICT']);
    expect(machines.mock.requests.list().filter(({ applied }) => applied)).toHaveLength(1);
  });

  test('may be that of a profile, and is shown by status and doctor', async () => {
    const machine = machines.add({ ORGCHAT_JOURNAL: undefined, ORGCHAT_API_KEY: undefined });
    machine.input = 'demo-write-key';
    const login = ['auth', 'login', '--insecure-storage', '--with-token'];
    const stored = await machine.run(...login, '--journal', journal);
    expect(stored).toMatchObject({ code: 0, json: { journal } });
    // A login without the option keeps it.
    expect((await machine.run(...login)).json.journal).toBe(journal);
    const doctor = await machine.run('doctor', '--profile', 'default');
    expect([doctor.code, doctor.stdout]).toEqual([
      0,
      expect.stringContaining(`open operations in ${journal}`),
    ]);
    expect((await machine.run(...login, '--journal', 'file')).json.journal).toBeUndefined();
    const refused = await machine.run(...login, '--journal', 'postgres://ci:geheim12@db/orgchat');
    expect([refused.code, refused.json.error?.code]).toEqual([3, 'PASSWORD_IN_ARGUMENTS']);
    expect((await machines.add().run('auth', 'status')).json).toMatchObject({
      journal,
      journalFrom: 'ORGCHAT_JOURNAL',
    });
  });
});

test('ops forget removes an entry that cannot be read, after a confirmation', async () => {
  const machine = machines.add();
  const written = await machine.run(...tag('Damaged', '--intent', 'damaged'));
  const id = String(written.json.operationId);
  await server
    .pool({ max: 1 })
    .query(`UPDATE orgchat.journal SET entry = '{"body' WHERE operation_id = $1`, [id]);
  const shown = await machine.run('ops', 'show', id);
  const hint = `Check the outcome of that operation in the app, then run: orgchat ops forget ${id}`;
  expect([shown.code, shown.json.error]).toMatchObject([
    1,
    { code: 'JOURNAL_FAILED', hint, operationId: id },
  ]);
  expect(shown.stdout).not.toContain('Remove its row');
  const again = await machine.run(...tag('Damaged', '--intent', 'damaged'), '--journal', journal);
  expect([again.code, again.json.error?.hint]).toEqual([
    1,
    hint.replace('orgchat ops', `orgchat --journal ${journal} ops`),
  ]);
  const asked = await machine.run('ops', 'forget', id);
  expect([asked.code, asked.json.error]).toMatchObject([
    3,
    { code: 'CONFIRMATION_NEEDED', message: expect.stringContaining('cannot be read') },
  ]);
  expect(await machine.run('ops', 'forget', id, '--yes')).toMatchObject({
    code: 0,
    json: { operationId: id, forgotten: true },
  });
  expect(await machine.run(...tag('Damaged', '--intent', 'damaged'))).toMatchObject({
    code: 0,
    json: { replayed: true },
  });
});

describe('a journal that cannot be used', () => {
  const url = (user: string, rest = ''): string =>
    `postgres://${user}@127.0.0.1:${server.port}/postgres${rest}`;
  test.each<[string, () => NodeJS.ProcessEnv, string, number, RegExp]>([
    [
      'an engine that is down',
      () => ({ ORGCHAT_JOURNAL: 'postgres://u:geheim12@127.0.0.1:1/db' }),
      'STORE_UNAVAILABLE',
      1,
      /Check the URL in ORGCHAT_JOURNAL/,
    ],
    [
      'a wrong password',
      () => ({ ORGCHAT_JOURNAL: url('expiring:geheim12') }),
      'STORE_CREDENTIALS',
      4,
      /user and password in ORGCHAT_JOURNAL/,
    ],
    [
      'missing tables',
      () => ({ ORGCHAT_JOURNAL: url('postgres:geheim12', '?schema=empty') }),
      'STORE_NOT_MIGRATED',
      3,
      /orgchat ops migrate$/,
    ],
    [
      'a user without rights',
      () => ({ ORGCHAT_JOURNAL: url('expiring'), PGPASSWORD: 'the right one' }),
      'STORE_CREDENTIALS',
      4,
      /permissions/,
    ],
    [
      'a read-only engine',
      () => ({ ORGCHAT_JOURNAL: url('postgres:geheim12', '?options=-c%20default_transaction_read_only=on') }),
      'STORE_READ_ONLY',
      1,
      /primary/,
    ],
  ])('%s: nothing is sent, and no secret is shown', async (_name, env, code, exit, hint) => {
    const machine = machines.add(env());
    const { json, stderr, stdout, ...ended } = await machine.run(...tag('Nothing'), '--debug');
    expect([ended.code, json.error]).toMatchObject([exit, { code, hint: expect.stringMatching(hint) }]);
    expect(json.error?.operationId).toBeDefined();
    expect(stdout + stderr).not.toMatch(/geheim12|the right one/);
    expect(machines.mock.operations()).toEqual([]);
  });

  test('reads of the API do not need it', async () => {
    const machine = machines.add({ ORGCHAT_JOURNAL: 'postgres://u@127.0.0.1:1/db' });
    expect((await machine.run('tags', 'list')).code).toBe(0);
  });

  test('missing packages are named with the line that installs them, and not taken from the working directory', async () => {
    const machine = machines.add();
    const folder = join(machine.folder, 'prefix/lib/node_modules/@orgchat/cli');
    mkdirSync(folder, { recursive: true });
    cpSync(dirname(dirname(builtCommand().entry)), folder, { recursive: true });
    const entry = join(folder, 'bin/orgchat.cjs');
    // Packages of a checkout, which are not ours: they would run with the key.
    const [marker, foreign] = [join(machine.folder, 'was-run'), join(machine.folder, 'node_modules')];
    for (const name of ['pg', '@orgchat/fleet']) {
      mkdirSync(join(foreign, name), { recursive: true });
      const exports = { '.': './index.js', './postgres': './index.js' };
      writeFileSync(join(foreign, name, 'package.json'), JSON.stringify({ name, exports }));
      writeFileSync(
        join(foreign, name, 'index.js'),
        `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`,
      );
    }
    const { execFile } = await import('node:child_process');
    const [code, stdout] = await new Promise<[unknown, string]>((resolve) =>
      execFile(
        process.execPath,
        [entry, ...tag('Nothing'), '--json'],
        {
          cwd: machine.folder,
          env: {
            ORGCHAT_STATE_DIR: machine.state,
            ORGCHAT_CONFIG_DIR: machine.state,
            ORGCHAT_BASE_URL: machines.baseUrl,
            ORGCHAT_API_KEY: 'demo-write-key',
            ORGCHAT_JOURNAL: journal,
          },
        },
        (error, out) => resolve([error?.code, out]),
      ),
    );
    expect([code, JSON.parse(stdout).error]).toMatchObject([
      3,
      { code: 'PACKAGE_MISSING', hint: 'Install it: npm install --global @orgchat/fleet @orgchat/sdk pg' },
    ]);
    expect(existsSync(marker)).toBe(false);
    expect(machines.mock.operations()).toEqual([]);
  });
});
