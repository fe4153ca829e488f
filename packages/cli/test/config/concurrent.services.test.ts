import { rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshTag, useConfigFile } from '../../test-support/config-harness.ts';
import type { Result } from '../../test-support/harness.ts';

/* An apply and what others do at the same time, or did before. */

const file = useConfigFile({ inProcess: true, holdsAnswers: true });
const { cli } = file;
const apply = (...args: string[]) => file.run(['apply', 'orgchat.yaml', '--yes', ...args]);
/** Another machine: a state directory of its own. */
const elsewhere = (name: string) => ({ env: { ORGCHAT_STATE_DIR: join(cli.folder, name) } });
const tagsNamed = async (name: string) =>
  (await cli.run(['tags', 'list', '--search', name, '--json'])).json as unknown as unknown[];

/** An apply that has started and is suspended until it is continued. */
async function suspended() {
  const letGo = cli.hold('changeChat');
  const { child, result } = cli.begin([
    'config',
    'apply',
    'orgchat.yaml',
    '--yes',
    '--pacing',
    'off',
    '--json',
  ]);
  const sent = async () => (await cli.received('changeChat')).length;
  await expect.poll(sent).toBe(1);
  child.kill('SIGSTOP');
  letGo();
  const goOn = (): Promise<Result> => {
    child.kill('SIGCONT');
    return result;
  };
  return { pid: child.pid, goOn };
}

describe('another apply that is in progress', () => {
  test('is named in the error, and nothing is sent', async () => {
    file.edit(freshTag);
    const first = await suspended();
    const { code, json } = await apply();
    expect([code, json.error]).toMatchObject([
      5,
      { code: 'APPLY_UNDER_WAY', holder: { pid: first.pid, host: hostname() } },
    ]);
    expect(json.error?.message).toMatch(/process \d+ on .*, since \d{4}-\d\d-\d\dT/);
    expect((await first.goOn()).json).toMatchObject({ applied: 1 });
  });

  test('counts for another file of the same organization, and --lock-timeout waits for it', async () => {
    file.edit(freshTag);
    writeFileSync(join(cli.folder, 'other.yaml'), file.read());
    const first = await suspended();
    const waiting = cli.begin(['config', 'apply', 'other.yaml', '--yes', '--lock-timeout', '60', '--json']);
    waiting.child.stderr?.once('data', first.goOn);
    const waited = await waiting.result;
    expect([waited.code, waited.json.applied]).toEqual([0, 0]);
    expect(waited.stderr).toContain(`Waiting for another apply: process ${first.pid} on`);
    expect((await first.goOn()).code).toBe(0);
  });

  test('is waited for no longer than --lock-timeout', async () => {
    file.edit(freshTag);
    const first = await suspended();
    const waited = await apply('--lock-timeout', '300ms');
    expect([waited.code, waited.json.error?.message]).toEqual([
      5,
      expect.stringContaining('still in progress after 0.3 s'),
    ]);
    await first.goOn();
  });

  test('blocks nobody after it was killed', async () => {
    file.edit(freshTag);
    const first = await suspended();
    process.kill(first.pid ?? 0, 'SIGKILL');
    await first.goOn();
    expect(await apply()).toMatchObject({ code: 0, json: { replayed: 1 } });
    expect(await tagsNamed('Fresh')).toHaveLength(1);
  });
});

describe('a record that an earlier apply created', () => {
  test('is created again if someone else deleted it', async () => {
    file.edit(freshTag);
    for (const _time of [1, 2, 3]) {
      expect((await apply('--yes')).json).toMatchObject({ applied: 1, replayed: 0, failed: [] });
      expect(await tagsNamed('Fresh')).toHaveLength(1);
      await file.rival('tags', 'delete', 'Fresh');
    }
  });

  test('is created again if someone else renamed it', async () => {
    file.edit(freshTag);
    await apply();
    await file.rival('tags', 'update', 'Fresh', '--name', 'Renamed');
    expect((await apply('--yes')).json).toMatchObject({ applied: 1, failed: [] });
    expect([await tagsNamed('Fresh'), await tagsNamed('Renamed')]).toMatchObject([
      { length: 1 },
      { length: 1 },
    ]);
  });

  test('is not created again by a saved plan', async () => {
    file.edit(freshTag);
    await file.run(['plan', 'orgchat.yaml', '-o', 'plan.json']);
    expect((await file.run(['apply', 'plan.json'])).code).toBe(0);
    await file.rival('tags', 'delete', 'Fresh');
    const { code, json } = await file.run(['apply', 'plan.json']);
    expect([code, json.error]).toMatchObject([5, { code: 'CREATED_BEFORE' }]);
    expect(json.error?.hint).toContain('orgchat config apply');
    expect(await tagsNamed('Fresh')).toEqual([]);
  });

  test('is found by its operation id after the state directory was lost', async () => {
    file.edit(freshTag);
    const input = file.read();
    await file.loseAnswerTo('create-tags');
    expect(
      (await file.run(['apply', '-', '--yes', '--retries', '0'], { input, ...elsewhere('lost') })).code,
    ).toBe(7);
    rmSync(join(cli.folder, 'lost'), { recursive: true });
    expect((await file.run(['apply', '-', '--yes'], { input, ...elsewhere('lost') })).code).toBe(0);
    expect(await tagsNamed('Fresh')).toHaveLength(1);
  });
});
