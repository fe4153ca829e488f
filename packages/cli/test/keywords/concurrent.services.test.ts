import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { until, useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true, holdsAnswers: true });
const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word ${index}`).join('\n');
const args = (...more: string[]): string[] => [
  ...['keywords', 'import', 'demo-site', 'words.txt'],
  ...['--pacing', 'off', '--json', ...more],
];

/** How many keyword requests the mock was sent. */
const requestsSent = async (): Promise<number> => (await cli.received('addSeoKeywords')).length;

const delay = { effect: 'delay', operation: 'addSeoKeywords', delayMs: 60_000, times: 9 };

/** An import that has sent a request. */
async function underWay(...more: string[]) {
  const before = await requestsSent();
  const begun = cli.begin(args(...more));
  await until(async () => (await requestsSent()) > before);
  return begun;
}

/** An import that is suspended during its work. */
async function standing(...more: string[]) {
  const letGo = cli.hold('addSeoKeywords');
  const begun = await underWay(...more);
  begun.child.kill('SIGSTOP');
  letGo();
  return begun;
}

const importsFolder = (): string => join(cli.folder, 'state', 'imports');
const locks = (): string[] => readdirSync(importsFolder()).filter((name) => !name.endsWith('.json'));

beforeEach(() => writeFileSync(join(cli.folder, 'words.txt'), words(120)));

test('a second import to the same site and group exits 5 and sends nothing', async () => {
  const { child, result } = await standing('--group', 'both');
  const sent = await requestsSent();
  const second = await cli.run(args('--group', 'both'));
  expect([second.code, second.json.error]).toMatchObject([
    5,
    {
      code: 'IMPORT_UNDER_WAY',
      message: expect.stringContaining(
        `to demo-site (group both) is already running: process ${child.pid} on `,
      ),
      hint: 'Wait for it, then run this again with --resume to send the rest.',
      holder: { pid: child.pid },
    },
  ]);
  // Another list to the same place would write the same record.
  const other = await cli.run(
    ['keywords', 'import', 'demo-site', '-', '--group', 'both', '--pacing', 'off'],
    { input: 'another' },
  );
  expect([other.code, other.stderr]).toEqual([5, expect.stringContaining('is already running')]);
  expect((await cli.run(args('--group', 'both', '--dry-run'))).code).toBe(0);
  expect(await requestsSent()).toBe(sent);
  child.kill('SIGCONT');
  const first = await result;
  expect([first.code, first.json.added?.length, await requestsSent()]).toEqual([0, 120, 3]);
  const resumed = await cli.run(args('--group', 'both', '--resume'));
  expect([resumed.code, resumed.json.added?.length, await requestsSent()]).toEqual([0, 120, 3]);
});

test('an import to another group runs at the same time', async () => {
  const { child, result } = await standing('--group', 'one');
  const other = await cli.run(args('--group', 'other'));
  // The first request of the other one has added 50.
  expect([other.code, other.json.added?.length]).toEqual([0, 70]);
  child.kill('SIGCONT');
  expect((await result).code).toBe(0);
});

test('if many imports start at once, each keyword is sent once', async () => {
  const results = await Promise.all(
    [1, 2, 3, 4].map(() => cli.run(args('--group', 'many', '--resume'), { ownProcess: true })),
  );
  expect(results.every(({ code }) => code === 0 || code === 5)).toBe(true);
  expect(results.some(({ code }) => code === 0)).toBe(true);
  expect(await requestsSent()).toBe(3);
});

test('a killed import blocks no other, and its lock is removed', async () => {
  await cli.control('POST', '/faults', delay);
  const { child, result } = await underWay('--group', 'killed');
  child.kill('SIGKILL');
  await result;
  expect(locks()).toHaveLength(1);
  await cli.control('DELETE', '/faults');
  // What it was sending may have been added.
  const next = await cli.run(args('--group', 'killed'));
  expect([next.code, next.json.added?.length, next.json.unknown?.[0]?.keywords?.length]).toEqual([7, 70, 50]);
  expect(locks()).toEqual([]);
});

test('Ctrl-C releases the lock after the request, a second Ctrl-C immediately', async () => {
  for (const [code, group] of [
    [0, 'once'],
    [7, 'twice'],
  ] as const) {
    const letGo = cli.hold('addSeoKeywords');
    const { child, result } = await underWay('--group', group);
    let said = '';
    child.stderr?.on('data', (text: string) => {
      said += text;
    });
    child.kill('SIGINT');
    await until(async () => said.includes('finishing'));
    if (group === 'twice') child.kill('SIGINT');
    else letGo();
    await result;
    letGo();
    expect(locks()).toEqual([]);
    expect((await cli.run(args('--group', group, '--resume'))).code).toBe(code);
  }
});

test('ops forget does not remove a request of a running import', async () => {
  await cli.control('POST', '/faults', { effect: 'lose-response', operation: 'addSeoKeywords' });
  const lost = await cli.run(args('--group', 'forget'));
  const operationId = String(lost.json.unknown?.[0]?.operationId);
  const forget = () => cli.run(['ops', 'forget', operationId, '--yes', '--json']);
  writeFileSync(join(cli.folder, 'words.txt'), `${words(120)}\nnew`);
  await cli.control('POST', '/faults', delay);
  const { child, result } = await underWay('--group', 'forget');
  const refused = await forget();
  expect([refused.code, refused.json.error?.code]).toEqual([5, 'IMPORT_UNDER_WAY']);
  expect((await cli.run(['ops', 'show', operationId, '--json'])).json.state).toBe('unknown' as never);
  child.kill('SIGKILL');
  await result;
  await cli.control('DELETE', '/faults');
  expect((await forget()).code).toBe(0);
  const next = await cli.run(args('--group', 'forget'));
  expect(next.json.unknown).toMatchObject([{ keywords: ['new'] }]);
  expect(next.json.skipped).toHaveLength(50);
});

describe('if the directory is shared with another machine', () => {
  /** Puts the lock of a process elsewhere in the place of the one there is. */
  function lockFrom(lock: string, untilMs: number): void {
    const until = new Date(Date.now() + untilMs).toISOString();
    const owner = { host: 'elsewhere', boot: '', pid: 1, start: '', until };
    writeFileSync(join(importsFolder(), lock), JSON.stringify(owner));
  }

  test('its lock is respected until it expires', async () => {
    expect((await cli.run(args('--group', 'shared'))).code).toBe(0);
    const [record = ''] = readdirSync(importsFolder()).filter((name) => {
      return readFileSync(join(importsFolder(), name), 'utf8').includes('"shared"');
    });
    lockFrom(`${record}.lock`, 60_000);
    const held = await cli.run(args('--group', 'shared'));
    expect([held.code, held.json.error]).toMatchObject([
      5,
      { code: 'IMPORT_UNDER_WAY', holder: { host: 'elsewhere', pid: 1, until: expect.any(String) } },
    ]);
    expect(held.json.error?.hint).toContain(
      `expires at ${held.json.error?.holder?.until}, or when you remove ${join(importsFolder(), `${record}.lock`)}`,
    );
    lockFrom(`${record}.lock`, -1);
    expect((await cli.run(args('--group', 'shared'))).code).toBe(0);
  });

  const canUnshare = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0;

  test.runIf(canUnshare)(
    'which has the same host name, the lock of its living process is respected',
    async () => {
      const { child, result } = await standing('--group', 'clones');
      // The kernel of another machine has another boot id.
      const bootId = join(cli.folder, 'boot-id');
      writeFileSync(bootId, `${randomUUID()}\n`);
      const elsewhere = `mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"`;
      const command = [process.execPath, cli.command, ...args('--group', 'clones')];
      const options = { cwd: cli.folder, env: cli.env as NodeJS.ProcessEnv };
      const given = ['-m', 'sh', '-c', elsewhere, bootId, ...command];
      const refused = await promisify(execFile)('unshare', given, options).catch((error: unknown) => error);
      const { code: status, stdout } = refused as { readonly code?: number; readonly stdout: string };
      expect([status, JSON.parse(stdout)]).toMatchObject([
        5,
        {
          error: {
            code: 'IMPORT_UNDER_WAY',
            holder: { host: hostname(), pid: child.pid, until: expect.any(String) },
          },
        },
      ]);
      child.kill('SIGCONT');
      const { code, json } = await result;
      expect([code, json.added?.length, await requestsSent()]).toEqual([0, 120, 3]);
    },
  );

  test('a process whose lock expired sends nothing more', async () => {
    const { child, result } = await standing('--group', 'slow');
    const [lock = ''] = locks();
    lockFrom(lock, 60_000);
    child.kill('SIGCONT');
    const { code, json } = await result;
    expect([code, json.error?.code]).toEqual([7, 'IMPORT_TAKEN_OVER']);
    expect(await requestsSent()).toBeLessThan(3);
    // The journal has the outcome of what it was sending.
    lockFrom(lock, -1);
    const next = await cli.run(args('--group', 'slow', '--resume'));
    expect([next.code, next.json.added?.length, await requestsSent()]).toEqual([0, 120, 3]);
  });
});
