import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Harness, type Json, type RunOptions, until } from '../../test-support/harness.ts';
import { atTerminal } from '../../test-support/pty.ts';
import { create } from '../../test-support/tags.ts';

/* The key of a CI system changes from demo-write-key to demo-read-key, which may write here. */

const cli = new Harness({ inProcess: true });
const [oldKey, newKey, foreignKey] = ['demo-write-key', 'demo-read-key', 'twin-write-key'];
let state = '';

beforeAll(async () => {
  const seed = JSON.parse((await cli.run(['mock', 'seed'])).stdout) as { organizations: object[] };
  const [demo] = seed.organizations;
  const keys = [{ name: 'Twin', key: foreignKey, scope: 'write' }];
  const organizations = [demo, { ...demo, id: 'org_twin', keys, friends: [], sites: [] }];
  writeFileSync(join(cli.folder, 'twins.json'), JSON.stringify({ ...seed, organizations }));
  await cli.start('--seed', join(cli.folder, 'twins.json'));
}, 60_000);
afterAll(() => cli.end());
beforeEach(async () => {
  await cli.control('POST', '/reset');
  await cli.control('PATCH', `/keys/${newKey}`, { scope: 'write' });
  state = join(cli.folder, randomUUID());
});

const withKey = (key: string | undefined, more: RunOptions['env'] = {}): RunOptions => ({
  env: { ORGCHAT_STATE_DIR: state, ORGCHAT_API_KEY: key, ...more },
});
const adopt = (previous: string | undefined, ...args: string[]) =>
  cli.run(['ops', 'adopt', '--json', ...args], withKey(newKey, { ORGCHAT_PREVIOUS_API_KEY: previous }));
const list = async (key: string) =>
  (await cli.run(['ops', 'list', '--json'], withKey(key))).json as unknown as Json[];

/** The old key leaves an operation with an unknown outcome, and an applied one. Returns the id of the first. */
async function leave(): Promise<string> {
  expect((await cli.run(create('Settled'), withKey(oldKey))).code).toBe(0);
  await cli.control('POST', '/faults', { effect: 'lose-response', operation: 'changeChat' });
  const lost = await cli.run([...create('Open'), '--retries', '0'], withKey(oldKey));
  expect(lost.code).toBe(7);
  return String(lost.json.error?.operationId);
}

describe('ops adopt', () => {
  test('takes over the operations of the previous key, and names the command that finishes them', async () => {
    const open = await leave();
    expect((await cli.run(['ops', 'resume', '--all', '--json'], withKey(newKey))).json).toEqual([]);
    const { code, json, stderr } = await adopt(oldKey);
    expect([code, json]).toMatchObject([
      0,
      { open: 1, settled: 1, adopted: [{ state: 'applied' }, { operationId: open }], inProgress: [] },
    ]);
    expect(stderr).toBe(
      '2 operations taken over: 1 open, 1 settled.\nFinish the open ones: orgchat ops resume --all\n',
    );
    expect(await list(oldKey)).toEqual([]);
    await cli.control('PATCH', `/keys/${oldKey}`, { revoked: true });
    const resumed = await cli.run(['ops', 'resume', '--all', '--json'], withKey(newKey));
    expect(resumed).toMatchObject({
      code: 0,
      json: [{ operationId: open, state: 'applied', replayed: true }],
    });
  });

  test('prints a table', async () => {
    const open = await leave();
    const { stdout } = await cli.run(
      ['ops', 'adopt', '--format', 'table'],
      withKey(newKey, { ORGCHAT_PREVIOUS_API_KEY: oldKey }),
    );
    expect(stdout).toMatch(/^RECORD +WHAT +STATE +OPERATION ID/);
    expect(stdout).toMatch(new RegExp(`Open +create-tags +unknown +${open}`));
  });

  test('reads the previous key from standard input, before the variable', async () => {
    await leave();
    const args = ['ops', 'adopt', '--with-token', '--json'];
    const given = withKey(newKey, { ORGCHAT_PREVIOUS_API_KEY: foreignKey });
    const { code, json } = await cli.run(args, { ...given, input: `${oldKey}\n` });
    expect([code, json.open]).toEqual([0, 1]);
    const again = await cli.run(args, { ...given, input: `${oldKey}\n` });
    expect([again.code, again.json.adopted]).toEqual([0, []]);
    expect(again.stderr).toBe(
      `No operations of the previous key to take over in ${join(state, 'journal')}.\n`,
    );
  });

  test.runIf(process.platform !== 'win32')('asks for it at a terminal, and does not show it', async () => {
    await leave();
    const { code, shown } = await atTerminal(cli, ['ops', 'adopt'], {
      typed: [['Previous API key (not shown): ', `${oldKey}\r`]],
      env: withKey(newKey).env ?? {},
    });
    expect([code, shown.includes(oldKey)]).toEqual([0, false]);
    expect(shown).toContain('2 operations taken over: 1 open, 1 settled.');
  });

  test('leaves an operation that another process has, and exits 7', async () => {
    await cli.control('POST', '/faults', { effect: 'delay', operation: 'changeChat', delayMs: 20_000 });
    const { child, result } = cli.begin(create('Held'), withKey(oldKey));
    try {
      await until(async () => (await cli.received('changeChat')).length === 1);
      const { code, json, stderr } = await adopt(oldKey);
      expect([code, json]).toMatchObject([7, { open: 0, settled: 0, adopted: [], inProgress: [{}] }]);
      expect(stderr).toContain('1 operation in progress in another process, so not taken over: ');
    } finally {
      child.kill('SIGKILL');
      await result;
    }
  });
});

describe('ops adopt takes over nothing', () => {
  const nothingMoved = async (): Promise<void> => {
    expect(await list(oldKey)).toHaveLength(2);
    expect(await list(newKey)).toEqual([]);
  };

  test.each([
    [
      'of another organization',
      foreignKey,
      4,
      'KEY_OF_ANOTHER_ORGANIZATION',
      /belongs to organization org_twin/,
    ],
    ['that is the key in use', newKey, 3, 'SAME_KEY', /is the key in use \(from ORGCHAT_API_KEY\)/],
    [
      'that is no key',
      'not a key',
      3,
      'INVALID_KEY',
      /\(from ORGCHAT_PREVIOUS_API_KEY\) is not a valid API key/,
    ],
    [
      'that is revoked',
      oldKey,
      4,
      'UNAUTHORIZED',
      /^The previous key \(from ORGCHAT_PREVIOUS_API_KEY\) was refused/,
    ],
  ])('with a previous key %s', async (what, previous, exit, code, message) => {
    await leave();
    if (what === 'that is revoked') await cli.control('PATCH', `/keys/${oldKey}`, { revoked: true });
    const ended = await adopt(previous);
    expect([ended.code, ended.json.error?.code]).toEqual([exit, code]);
    expect(ended.json.error?.message).toMatch(message);
    expect(ended.json.error?.message).not.toContain(previous);
    expect(ended.json.error?.hint).toBeTruthy();
    await nothingMoved();
  });

  test('if the key in use is refused, and says so', async () => {
    await leave();
    await cli.control('PATCH', `/keys/${newKey}`, { revoked: true });
    const { code, json } = await adopt(oldKey);
    expect([code, json.error?.code]).toEqual([4, 'UNAUTHORIZED']);
    expect(json.error?.message).not.toContain('previous');
    await nothingMoved();
  });

  test.each([
    [
      'without a key and a terminal',
      undefined,
      [],
      undefined,
      'TERMINAL_NEEDED',
      /^Input required, .*: Previous API key\.$/,
    ],
    [
      'with nothing on standard input',
      undefined,
      ['--with-token'],
      '',
      'INVALID_KEY',
      /standard input is empty/,
    ],
    ['with a key as an argument', undefined, [oldKey], undefined, 'KEY_IN_ARGUMENTS', /not accepted/],
  ])('%s', async (_what, previous, args, input = '', code, message) => {
    await leave();
    const options = { ...withKey(newKey, { ORGCHAT_PREVIOUS_API_KEY: previous }), input };
    const ended = await cli.run(['ops', 'adopt', '--json', ...args], options);
    expect([ended.code, ended.json.error?.code]).toEqual([3, code]);
    expect(ended.json.error?.message).toMatch(message);
    expect(ended.json.error?.hint).toContain('ORGCHAT_PREVIOUS_API_KEY');
    await nothingMoved();
  });
});
