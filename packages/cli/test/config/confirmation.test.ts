import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshTag, greenVip, useConfigFile } from '../../test-support/config-harness.ts';

/* Without a terminal and without --yes, nothing is changed. */

const file = useConfigFile({ inProcess: true });
const { cli } = file;
const differences = async () => (await file.run(['diff', 'orgchat.yaml'])).json.changes;
const sent = async () => (await cli.received('changeChat')).length;
const plan = /\+ Fresh[\s\S]*color: "pink" → "green"[\s\S]*1 to create, 1 to update, 0 to delete/;

describe('apply without a terminal', () => {
  test.each([
    ['a file', []],
    ['a file and --quiet', ['--quiet']],
    ['a file and --force-conflicts', ['--force-conflicts']],
  ])('of %s shows the plan and requires --yes', async (_what, args) => {
    file.edit(freshTag, greenVip);
    const { code, json, stderr } = await file.run(['apply', 'orgchat.yaml', ...args]);
    expect([code, json.error]).toMatchObject([
      3,
      {
        code: 'CONFIRMATION_NEEDED',
        message: expect.stringContaining('Apply this plan? This will create 1 tag, and update 1 tag.'),
        changes: [{ label: 'Fresh' }, { label: 'VIP' }],
      },
    ]);
    expect(stderr).toMatch(plan);
    expect(await sent()).toBe(0);
    const confirmed = await file.run(['apply', 'orgchat.yaml', '--yes', ...args]);
    expect([confirmed.code, confirmed.json.applied]).toEqual([0, 2]);
    expect(confirmed.stderr).toMatch(plan);
  });

  test('requires --yes for what others changed and for a file that was never exported or applied', async () => {
    file.edit(greenVip);
    const env = { ORGCHAT_STATE_DIR: join(cli.folder, 'elsewhere') };
    const { code, json, stderr } = await file.run(['apply', 'orgchat.yaml'], { env });
    expect([code, json.error?.code]).toEqual([3, 'CONFIRMATION_NEEDED']);
    expect(stderr).toContain('cannot tell changes in the file from changes in the organization');
    expect(await sent()).toBe(0);
  });

  test('does not read the answer from a pipe', async () => {
    file.edit(greenVip);
    const { code } = await file.run(['apply', 'orgchat.yaml'], { input: 'y\ny\ny\n' });
    expect([code, await sent()]).toEqual([3, 0]);
  });

  test('of a file with nothing to change needs no --yes', async () => {
    const { code, json, stderr } = await file.run(['apply', 'orgchat.yaml', '--quiet']);
    expect([code, json.applied]).toEqual([0, 0]);
    expect(stderr).toBe('0 to create, 0 to update, 0 to delete, 16 unchanged.\n');
  });

  test.each(['a configuration', 'a plan'])('of %s on standard input requires --yes', async (what) => {
    file.edit(greenVip);
    await file.run(['plan', 'orgchat.yaml', '-o', 'plan.json']);
    const input = what === 'a plan' ? readFileSync(join(cli.folder, 'plan.json'), 'utf8') : file.read();
    const { code, json, stderr } = await file.run(['apply', '-'], { input });
    expect([code, json.error?.code]).toEqual([3, 'CONFIRMATION_NEEDED']);
    expect(stderr).toContain('0 to create, 1 to update');
    expect(await sent()).toBe(0);
    expect((await file.run(['apply', '-', '--yes'], { input })).json.applied).toBe(1 as never);
  });
});

describe('what an earlier apply left', () => {
  /** A step was sent, and its answer lost. */
  async function unfinished(): Promise<void> {
    file.edit(freshTag);
    await cli.control('POST', '/faults', { effect: 'uncertain', action: 'create-tags', applied: false });
    expect((await file.run(['apply', 'orgchat.yaml', '--yes', '--retries', '0'])).code).toBe(7);
    await cli.control('POST', '/requests/reset');
  }

  test('is continued only with --yes', async () => {
    await unfinished();
    const before = await sent();
    const { code, json, stderr } = await file.run(['apply', 'orgchat.yaml']);
    expect([code, json.error]).toMatchObject([
      3,
      { code: 'CONFIRMATION_NEEDED', changes: [{ label: 'Fresh' }] },
    ]);
    expect(stderr).toContain('+ Fresh');
    expect(await sent()).toBe(before);
  });

  test('is settled for a changed file only with --yes', async () => {
    await unfinished();
    const before = await sent();
    file.edit(greenVip);
    const { code, json, stderr } = await file.run(['apply', 'orgchat.yaml']);
    expect([code, json.error]).toMatchObject([
      3,
      {
        message: expect.stringContaining(
          'Finish the steps that an earlier apply sent? This will create 1 tag.',
        ),
        changes: [{ label: 'Fresh' }],
      },
    ]);
    expect(stderr).toContain('+ Fresh');
    expect(await sent()).toBe(before);
    expect(await differences()).toHaveLength(2);
  });
});
