import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { freshTag, greenVip, useConfigFile } from '../../test-support/config-harness.ts';

const file = useConfigFile({ inProcess: true });
const { cli } = file;
const newForm = ['submitTagId: Newsletter', 'submitTagId: Fresh'] as const;
const applyUnasked = (...args: string[]) => file.run(['apply', 'orgchat.yaml', ...args]);
const apply = (...args: string[]) => applyUnasked('--yes', ...args);
const tag = async (name: string) => (await cli.run(['tags', 'get', name, '--json'])).json;
const tagsNamed = async (name: string) =>
  (await cli.run(['tags', 'list', '--search', name, '--json'])).json as unknown as unknown[];

describe('apply', () => {
  test('creates records before the records that refer to them', async () => {
    file.edit(freshTag, newForm);
    expect((await apply()).json).toMatchObject({ applied: 2, replayed: 0, failed: [], notStarted: [] });
    expect((await file.run(['diff', 'orgchat.yaml'])).json.differences).toBe(false as never);
    expect((await apply()).json.applied).toBe(0 as never);
  });

  test('reads a configuration from standard input', async () => {
    file.edit(freshTag);
    const { code, json } = await file.run(['apply', '-', '--yes'], { input: file.read() });
    expect([code, json.applied]).toEqual([0, 1]);
  });

  test.skipIf(process.platform === 'win32')(
    'reads a pipe, which has no history, and no reviewed plan',
    async () => {
      execFileSync('sh', ['-c', 'mkfifo pipe'], { cwd: cli.folder });
      const applyPiped = async (text: string, ...args: string[]) => {
        const written = writeFile(join(cli.folder, 'pipe'), text);
        const result = await file.run(['apply', 'pipe', ...args]);
        await written;
        return result;
      };
      const vip = (color: string) => `tags:\n  - {name: VIP, color: ${color}}\n`;
      expect((await applyPiped(vip('green'), '--yes')).json.applied).toBe(1 as never);
      await file.rival('tags', 'update', 'VIP', '--color', 'blue');
      const { code, json, stderr } = await applyPiped(vip('orange'), '--yes');
      expect([code, json.applied]).toEqual([0, 1]);
      expect(stderr).toContain('standard input or a pipe is not remembered between runs');
      file.edit(freshTag);
      const plan = (await file.run(['plan', 'orgchat.yaml', '-o', '-'])).stdout;
      const unasked = await applyPiped(plan);
      expect([unasked.code, unasked.json.error?.code]).toEqual([3, 'CONFIRMATION_NEEDED']);
    },
  );

  test.skipIf(process.platform === 'win32')('has a pipe of the shell as the file of an export', async () => {
    const command = `'${process.execPath}' '${cli.command}' config export -o /dev/stdout --only tags/VIP --quiet | cat`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command], {
      cwd: cli.folder,
      env: { ...cli.env },
    });
    expect(stdout).toContain('tags:\n  - id: ');
  });

  test('deletes only with --prune and confirmation, and reports what it cannot delete', async () => {
    await file.rival('tags', 'create', '--name', 'Old', '--color', 'blue');
    file.edit([/\nrich-menus:[\s\S]*?\nlinks:/.exec(file.read())?.[0] ?? '', '\nrich-menus: []\n\nlinks:']);
    expect((await apply()).json.applied).toBe(0 as never);
    const unasked = await applyUnasked('--prune');
    expect([unasked.code, unasked.json.error]).toMatchObject([
      3,
      {
        code: 'CONFIRMATION_NEEDED',
        message: expect.stringContaining(
          'This will delete 1 tag (1 created outside the file, friends with the tags not looked at).',
        ),
        changes: [{ action: 'delete', label: 'Old', origin: 'drift' }],
      },
    ]);
    const pruned = await apply('--prune');
    expect(pruned.json.steps).toMatchObject([{ action: 'delete', label: 'Old' }]);
    expect(pruned.stderr).toContain('cannot delete rich menus. These stay: Main menu');
  });
});

describe('a change by someone else in the organization', () => {
  test('is reverted only after confirmation', async () => {
    await file.rival('tags', 'update', 'Newsletter', '--color', 'orange');
    const unasked = await applyUnasked();
    expect([unasked.code, unasked.json.error]).toMatchObject([
      3,
      {
        code: 'CONFIRMATION_NEEDED',
        message: expect.stringContaining(
          'Apply this plan? This will revert changes made in the organization to 1 tag.',
        ),
        changes: [{ fields: [{ path: 'color', from: 'orange', to: 'blue', origin: 'drift' }] }],
      },
    ]);
    expect(unasked.stderr).toContain('color: "orange" → "blue"   (changed in the organization');
    expect((await tag('Newsletter')).color).toBe('orange' as never);
    const asked = await apply();
    expect([asked.code, asked.json.steps]).toMatchObject([
      0,
      [{ origin: 'drift', fields: [{ path: 'color', from: 'orange', to: 'blue', origin: 'drift' }] }],
    ]);
    expect(asked.stderr).toContain('color: "orange" → "blue"   (changed in the organization; the file');
  });

  test('is overwritten only with --force-conflicts if the file changed it, too', async () => {
    file.edit(greenVip, freshTag);
    await file.rival('tags', 'update', 'VIP', '--color', 'brown');
    const refused = await apply();
    expect([refused.code, refused.json.error]).toMatchObject([
      5,
      {
        code: 'CONFLICT',
        message: expect.stringContaining('tag "VIP": color: "brown" → "green"'),
        conflicts: [{ label: 'VIP', fields: [{ from: 'brown', to: 'green', base: 'pink', origin: 'both' }] }],
      },
    ]);
    expect([(await tag('VIP')).color, await tagsNamed('Fresh')]).toEqual(['brown', []]);
    expect((await apply('--force-conflicts')).json.applied).toBe(2 as never);
    expect((await tag('VIP')).color).toBe('green' as never);
  });

  test('is a conflict if both sides created a record with the same label', async () => {
    file.edit(freshTag);
    await file.rival('tags', 'create', '--name', 'Fresh', '--color', 'purple');
    expect((await apply()).json.error).toMatchObject({ code: 'CONFLICT' });
  });

  test('is the same in a saved plan and in a file', async () => {
    file.edit(greenVip);
    await file.rival('tags', 'update', 'VIP', '--color', 'brown');
    await file.run(['plan', 'orgchat.yaml', '-o', 'plan.json']);
    expect((await file.run(['apply', 'plan.json', '--yes'])).code).toBe(5);
    expect((await file.run(['apply', 'plan.json', '--force-conflicts'])).code).toBe(0);
  });
});

describe('apply of a saved plan', () => {
  const plan = () => file.run(['plan', 'orgchat.yaml', '-o', 'plan.json']);
  const applyPlan = () => file.run(['apply', 'plan.json']);

  test('is a conflict if a record changed after the plan was made, and overwrites nothing', async () => {
    file.edit(greenVip);
    await plan();
    await file.rival('tags', 'update', 'VIP', '--color', 'brown');
    const { code, json } = await applyPlan();
    expect([code, json.error?.code]).toEqual([5, 'STALE_REVISION']);
    expect((await tag('VIP')).color).toBe('brown' as never);
  });

  test('is a conflict if a record is gone', async () => {
    file.edit(greenVip);
    await plan();
    await file.rival('tags', 'delete', 'VIP');
    const { code, json } = await applyPlan();
    expect([code, json.error?.code]).toEqual([5, 'NOT_FOUND']);
  });

  test('applies nothing if one of several records changed', async () => {
    file.edit(freshTag, greenVip, newForm);
    await plan();
    await file.rival('forms', 'update', 'Survey', '--name', 'Poll');
    const { code, json, stderr } = await applyPlan();
    expect([code, json.error]).toMatchObject([
      5,
      { code: 'STALE_REVISION', moved: [{ resource: 'forms', label: 'Survey' }] },
    ]);
    expect(json.error?.message).toBe(
      'Nothing was applied. These records changed after the plan was made:\n  form "Survey": changed',
    );
    expect(stderr).toContain('1 to create, 2 to update, 0 to delete');
    expect([(await tag('VIP')).color, await tagsNamed('Fresh')]).toEqual(['pink', []]);
  });

  test('needs no confirmation: also to delete and to revert changes of others', async () => {
    await file.rival('tags', 'create', '--name', 'Old', '--color', 'blue');
    await file.rival('tags', 'update', 'Newsletter', '--color', 'orange');
    file.edit(greenVip);
    await file.run(['plan', 'orgchat.yaml', '--prune', '-o', 'plan.json']);
    const { code, json, stderr } = await file.run(['apply', 'plan.json', '--quiet']);
    expect([code, json.applied]).toEqual([0, 3]);
    expect(stderr).toContain('0 to create, 2 to update, 1 to delete');
  });

  test('creates no duplicate of a label that someone else used in the meantime', async () => {
    file.edit(freshTag, greenVip);
    await plan();
    await file.rival('tags', 'create', '--name', 'Fresh', '--color', 'blue');
    const { code, json } = await applyPlan();
    expect([code, json.error]).toMatchObject([5, { code: 'LABEL_TAKEN', taken: [{ label: 'Fresh' }] }]);
    expect([await tagsNamed('Fresh'), (await tag('VIP')).color]).toMatchObject([{ length: 1 }, 'pink']);
  });

  test('can create a record with the former label of a renamed one', async () => {
    file.edit(['name: VIP', 'name: Former VIP'], ['\ntags:\n', '\ntags:\n  - name: VIP\n    color: blue\n']);
    await plan();
    // The route refers to VIP, and that is the new one.
    expect((await applyPlan()).json).toMatchObject({ applied: 3, failed: [] });
    expect((await tag('Former VIP')).color).toBe('pink' as never);
    expect((await file.run(['diff', 'orgchat.yaml'])).json.differences).toBe(false as never);
  });

  test('is rejected for another base URL, but not for another spelling of the same one', async () => {
    file.edit(freshTag);
    await plan();
    const env = { ORGCHAT_BASE_URL: `${cli.ready?.baseUrl}/` };
    expect((await file.run(['apply', 'plan.json'], { env })).json.applied).toBe(1 as never);
  });

  test('applies nothing twice if it is run twice, and reports the replays', async () => {
    file.edit(freshTag);
    await plan();
    expect((await applyPlan()).json).toMatchObject({ applied: 1, replayed: 0 });
    expect((await applyPlan()).json).toMatchObject({ applied: 0, replayed: 1 });
    expect(await tagsNamed('Fresh')).toHaveLength(1);
  });
});
