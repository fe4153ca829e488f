import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshTag, greenVip, useConfigFile } from '../../test-support/config-harness.ts';

const file = useConfigFile({ inProcess: true });
const { cli } = file;

describe('diff', () => {
  test('distinguishes changes in the file from drift', async () => {
    file.edit(greenVip);
    await file.rival('tags', 'update', 'Newsletter', '--color', 'orange');
    await file.rival('tags', 'create', '--name', 'Rival', '--color', 'blue');
    const { code, json } = await file.run(['diff', 'orgchat.yaml', '--exit-code']);
    expect(code).toBe(2);
    const fields = (from: string, to: string, base: string, origin: string) => [
      { path: 'color', from, to, base, origin },
    ];
    expect(json.changes).toMatchObject([
      { action: 'update', label: 'VIP', origin: 'file', fields: fields('pink', 'green', 'pink', 'file') },
      { label: 'Newsletter', origin: 'drift', fields: fields('orange', 'blue', 'blue', 'drift') },
    ]);
    expect(json.unmanaged).toMatchObject([{ label: 'Rival', origin: 'drift' }]);
  });

  test('distinguishes a record that was deleted in the organization from a new one', async () => {
    await file.rival('links', 'delete', 'Spring page');
    file.edit(freshTag);
    const { json } = await file.run(['diff', 'orgchat.yaml']);
    expect(json.changes).toMatchObject([
      { action: 'create', label: 'Fresh', origin: 'file', fields: [{ path: 'name', to: 'Fresh' }, {}] },
      { action: 'create', label: 'Spring page', origin: 'drift' },
      // Its button leads to the link of that name.
      { action: 'update', label: 'New courses' },
    ]);
  });

  test('recognizes a record that was deleted together with the record it refers to', async () => {
    await file.rival('links', 'delete', 'Spring page');
    await file.rival('tags', 'delete', 'Newsletter');
    const { json } = await file.run(['diff', 'orgchat.yaml']);
    const changes = json.changes as unknown as { label: string; origin: string }[];
    expect(changes.map(({ label, origin }) => [label, origin])).toEqual([
      ['Newsletter', 'drift'],
      ['Survey', 'drift'],
      ['Spring page', 'drift'],
      ['Spring news', 'drift'],
      ['New courses', 'drift'],
    ]);
    expect((await file.run(['apply', 'orgchat.yaml', '--yes'])).json).toMatchObject({ applied: 5 });
    expect((await file.run(['diff', 'orgchat.yaml'])).json).toMatchObject({ differences: false });
  });

  test('has the removal of an optional choice, which a saved plan applies, but not one that the server made', async () => {
    const { json: scenario } = await cli.run(['scenarios', 'get', 'Welcome series', '--json']);
    const steps = scenario.steps as unknown as object[];
    const setMode = (timingMode: string) =>
      cli.run(['scenarios', 'update', 'Welcome series', '--data', '-', '--json'], {
        input: JSON.stringify({ steps: steps.map((step) => ({ ...step, timingMode })) }),
      });
    await setMode('relative');
    expect((await file.run(['diff', 'orgchat.yaml'])).json.differences).toBe(false);
    await file.run(['export', '-o', 'orgchat.yaml']);
    expect(file.read()).toContain('timingMode: relative');
    file.write(file.read().replace(/ *timingMode: relative\n/, ''));
    const plan = await file.run(['plan', 'orgchat.yaml', '-o', 'plan.json']);
    expect(plan.json.changes).toMatchObject([{ fields: [{ path: 'steps[0].timingMode', origin: 'file' }] }]);
    expect((await file.run(['apply', 'plan.json'])).json).toMatchObject({ applied: 1 });
    const { json: after } = await cli.run(['scenarios', 'get', 'Welcome series', '--json']);
    expect((after.steps as unknown as { timingMode?: string }[]).map(({ timingMode }) => timingMode)).toEqual(
      [undefined, ...steps.slice(1).map(() => 'relative')],
    );
  });

  test('uses the same base for another spelling of the base URL', async () => {
    file.edit(greenVip);
    const env = { ORGCHAT_BASE_URL: `${cli.ready?.baseUrl}/` };
    const { json } = await file.run(['diff', 'orgchat.yaml'], { env });
    expect(json.changes).toMatchObject([{ label: 'VIP', origin: 'file' }]);
  });

  test('rejects a label that two records have', async () => {
    for (const color of ['blue', 'green'])
      await file.rival('tags', 'create', '--name', 'Twin', '--color', color);
    file.edit(['\ntags:\n', '\ntags:\n  - name: Twin\n    color: blue\n']);
    const { code, json } = await file.run(['diff', 'orgchat.yaml']);
    expect([code, json.error?.message]).toEqual([
      3,
      expect.stringContaining('the organization has 2 with this label'),
    ]);
  });
});

describe('plan', () => {
  test('says that a saved plan is not a configuration', async () => {
    file.edit(greenVip);
    await file.run(['plan', 'orgchat.yaml', '-o', 'saved.json']);
    for (const command of ['plan', 'diff', 'validate']) {
      const { code, json } = await file.run([command, 'saved.json']);
      expect([code, json.error]).toMatchObject([
        3,
        {
          message: 'saved.json is a saved plan, not a configuration.',
          hint: 'To apply it: orgchat config apply saved.json',
        },
      ]);
    }
  });

  test('reports every reference to a missing record', async () => {
    file.edit(['submitTagId: Newsletter', 'submitTagId: Nobody'], ['menuId: Main menu', 'menuId: Nowhere']);
    const { code, json } = await file.run(['plan', 'orgchat.yaml']);
    expect([code, json.error?.problems]).toMatchObject([3, [{}, {}]]);
    expect(json.error?.message).toMatch(/valid but does not match this organization/);
    expect(json.error?.message).toContain('no tag named "Nobody"');
    expect(json.error?.message).toContain('no rich menu named "Nowhere"');
    expect(json.error?.hint).not.toContain('validate');
    expect((await file.run(['validate', 'orgchat.yaml'])).code).toBe(0);
  });

  test('is written to the given file, and no directory is created', async () => {
    file.edit(freshTag);
    const refused = await file.run(['plan', 'orgchat.yaml', '-o', 'nodir/plan.json']);
    expect([refused.code, refused.json.error?.message]).toEqual([
      3,
      'Cannot write nodir/plan.json: no such directory: nodir.',
    ]);
    expect(existsSync(join(cli.folder, 'nodir'))).toBe(false);
    await file.run(['plan', 'orgchat.yaml', '-o', 'plan.json']);
    expect(statSync(join(cli.folder, 'plan.json')).isFile()).toBe(true);
    const { stdout } = await file.run(['plan', 'orgchat.yaml', '-o', '-']);
    const shape = ({ steps }: { steps: { label: string }[] }) => steps.map(({ label }) => label);
    expect(shape(JSON.parse(stdout))).toEqual(
      shape(JSON.parse(readFileSync(join(cli.folder, 'plan.json'), 'utf8'))),
    );
  });
});

describe('the history of a file', () => {
  const unmanaged = (json: { unmanaged?: unknown }) => json.unmanaged;

  test('contains only what was exported', async () => {
    await file.run(['export', '--resources', 'tags', '-o', 'part.yaml']);
    await file.rival('tags', 'create', '--name', 'Rival', '--color', 'blue');
    const text = readFileSync(join(cli.folder, 'part.yaml'), 'utf8');
    const { json } = await file.run(['diff', '-'], { input: `${text}\nlinks: []\n` });
    expect(unmanaged(json)).toMatchObject([{ label: 'Rival', origin: 'unknown' }, { origin: 'unknown' }]);
    await cli.run(['config', 'export', '--resources', 'tags', '-o', 'part.yaml', '-q']);
    const { json: after } = await file.run(['diff', 'part.yaml']);
    expect(unmanaged(after)).toEqual([]);
  });

  test('is unknown for resources that were not exported', async () => {
    await file.run(['export', '--resources', 'tags', '-o', 'part.yaml']);
    file.write(readFileSync(join(cli.folder, 'part.yaml'), 'utf8'));
    await cli.run(['config', 'export', '--resources', 'links', '-o', 'part.yaml', '-q']);
    await file.rival('links', 'update', 'Spring page', '--url', 'https://example.com/summer');
    const { json } = await file.run(['diff', 'part.yaml']);
    expect(json.changes).toMatchObject([{ label: 'Spring page', origin: 'drift' }]);
  });

  test('never contains records that existed before an apply', async () => {
    await file.rival('tags', 'create', '--name', 'Rival', '--color', 'blue');
    file.edit(greenVip);
    expect((await file.run(['apply', 'orgchat.yaml', '--yes'])).code).toBe(0);
    const { json } = await file.run(['diff', 'orgchat.yaml', '--prune']);
    expect(json.changes).toMatchObject([{ action: 'delete', label: 'Rival', origin: 'drift' }]);
  });

  test('continues when a saved plan is applied', async () => {
    file.edit(greenVip, freshTag);
    await file.run(['plan', 'orgchat.yaml', '-o', 'plan.json']);
    expect((await file.run(['apply', 'plan.json'])).code).toBe(0);
    await file.rival('tags', 'update', 'VIP', '--color', 'orange');
    await file.rival('tags', 'delete', 'Fresh');
    const { json } = await file.run(['diff', 'orgchat.yaml']);
    expect(json.changes).toMatchObject([
      { action: 'create', label: 'Fresh', origin: 'drift' },
      { label: 'VIP', fields: [{ from: 'orange', to: 'green', base: 'green', origin: 'drift' }] },
    ]);
  });

  test('begins with the first apply, which prints a warning', async () => {
    file.edit(greenVip, freshTag);
    const elsewhere = { env: { ORGCHAT_STATE_DIR: join(cli.folder, 'elsewhere') } };
    const first = await file.run(['apply', 'orgchat.yaml', '--yes'], elsewhere);
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringMatching(
        /cannot tell changes in the file from changes in the organization: .+Review them first: orgchat config diff \S+orgchat\.yaml\n/,
      ),
    ]);
    await file.rival('tags', 'update', 'Trial', '--color', 'orange');
    const second = await file.run(['diff', 'orgchat.yaml'], elsewhere);
    expect(second.json.changes).toMatchObject([{ label: 'Trial', origin: 'drift' }]);
    expect(second.stderr).not.toContain('cannot tell changes');
  });
});

describe('a reference to a deleted record', () => {
  test('is kept in the record that has it, and a change of that record says so', async () => {
    await file.rival('tags', 'delete', 'Trial');
    await file.run(['export', '-o', 'orgchat.yaml']);
    const same = await file.run(['diff', 'orgchat.yaml', '--exit-code']);
    expect([same.code, same.json.differences]).toEqual([0, false]);
    file.edit(greenVip);
    expect((await file.run(['apply', 'orgchat.yaml', '--yes'])).json).toMatchObject({
      applied: 1,
      failed: [],
    });
    file.edit(['name: After care', 'name: Later care']);
    const planned = await file.run(['plan', 'orgchat.yaml']);
    expect(planned.json.warnings).toEqual([
      expect.stringMatching(/^scenario "Later care": no tag named "79891e98-.*; the reference is kept$/),
    ]);
    expect((await file.run(['apply', 'orgchat.yaml', '--yes'])).json).toMatchObject({
      applied: 1,
      failed: [],
    });
  });

  test('is rejected in a new record', async () => {
    const id = '11111111-2222-4333-8444-555555555555';
    file.edit([
      '\nroutes:\n',
      `\nroutes:\n  - { name: New, accountId: Demo shop, tagId: ${id}, scenarioId: null }\n`,
    ]);
    const { code, json } = await file.run(['diff', 'orgchat.yaml']);
    expect([code, json.error?.message]).toEqual([3, expect.stringContaining(`no tag named "${id}"`)]);
  });
});
