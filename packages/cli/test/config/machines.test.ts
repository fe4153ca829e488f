import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { greenVip, useConfigFile } from '../../test-support/config-harness.ts';

/* Machines apply the commits of one file, one after the other. Each has the base in its own state directory. */

const file = useConfigFile({ inProcess: true });
const { cli } = file;

/** A machine that has the base of the first export, or a new one without any. */
function machine(hasBase: boolean) {
  const state = join(cli.folder, randomUUID());
  if (hasBase) cpSync(join(cli.folder, 'state'), state, { recursive: true });
  return (...args: string[]) =>
    file.run(['apply', 'orgchat.yaml', '--yes', ...args], { env: { ORGCHAT_STATE_DIR: state } });
}
const brownVip = ['color: green', 'color: brown'] as const;
const color = async () => (await cli.run(['tags', 'get', 'VIP', '--json'])).json.color;

describe('two machines with state directories of their own', () => {
  test('conflict on a field that two commits changed, without a change by anyone else', async () => {
    const [one, other] = [machine(true), machine(true)];
    file.edit(greenVip);
    expect((await one()).code).toBe(0);
    file.edit(brownVip);
    const { code, json } = await other();
    expect([code, json.error]).toMatchObject([5, { conflicts: [{ label: 'VIP', origin: 'both' }] }]);
    expect(json.error?.message).toContain('changed on both sides, was "pink"');
    expect(await color()).toBe('green' as never);
    // The machine that applied the first commit knows it.
    expect((await one()).code).toBe(0);
    expect(await color()).toBe('brown' as never);
  });

  test('do not conflict if they keep no state, but then overwrite changes of others with a warning', async () => {
    file.edit(greenVip);
    expect((await machine(false)()).code).toBe(0);
    file.edit(brownVip);
    expect((await machine(false)()).code).toBe(0);
    expect(await color()).toBe('brown' as never);
    await file.rival('tags', 'update', 'VIP', '--color', 'orange');
    const { code, stderr, json } = await machine(false)();
    expect([code, json.steps]).toMatchObject([0, [{ label: 'VIP', origin: 'unknown' }]]);
    expect(stderr).toContain('orgchat: warning: ');
    expect(await color()).toBe('brown' as never);
  });
});
