import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Harness } from './harness.ts';

let cli: Harness;
let path: string;
beforeAll(async () => {
  cli = new Harness();
  await cli.start();
  path = join(cli.folder, 'orgchat.yaml');
}, 60_000);
afterAll(() => cli.end());
beforeEach(async () => {
  await cli.control('POST', '/reset');
  writeFileSync(path, '');
  await cli.run(['config', 'export', '-o', 'orgchat.yaml', '-q']);
});

const config = (...args: string[]) => cli.run(['config', ...args, '--pacing', 'off', '--json']);
const read = (): string => readFileSync(path, 'utf8');
const change = (...edits: [from: string, to: string][]): void => {
  writeFileSync(
    path,
    edits.reduce((text, [from, to]) => text.replace(from, to), read()),
  );
};
const newTag = '\ntags:\n  - name: Fresh\n    color: blue\n';

describe('export', () => {
  test('refers by name, and is the organization as it is', async () => {
    expect(read()).toContain('submitScenarioId: Welcome series');
    expect(read()).not.toContain('accountId: 8d9');
    const { code, json } = await config('diff', 'orgchat.yaml', '--exit-code');
    expect([code, json.differences, json.unchanged]).toEqual([0, false, 16]);
  });

  test('into a file keeps its comments and order', async () => {
    change(['    color: pink', '    color: pink # ours'], ['\ntemplates:', '\n# Texts\ntemplates:']);
    await cli.run(['tags', 'update', 'VIP', '--color', 'green', '-q']);
    await cli.run(['tags', 'create', '--name', 'Later', '--color', 'blue', '-q']);
    expect((await config('export', '-o', 'orgchat.yaml')).json.result).toBe('updated' as never);
    expect(read()).toContain('    color: green # ours');
    expect(read()).toContain('# Texts\ntemplates:');
    expect(read()).toMatch(/name: Trial\n {4}color: neutral\n {2}- id: .*\n {4}name: Later/);
    expect((await config('export', '-o', 'orgchat.yaml')).json.result).toBe('unchanged' as never);
  });
});

test('validate names line and field, without the network', async () => {
  writeFileSync(
    path,
    'tags:\n  - name: A\n    color: red\n  - name: B\n    color: blue\n  - name: B\n    color: blue\nnothing: []\n',
  );
  const { code, json, stderr } = await cli.run(['config', 'validate', 'orgchat.yaml', '--json'], {
    env: { ORGCHAT_BASE_URL: undefined },
  });
  expect([code, json.error?.code]).toEqual([3, 'INVALID_INPUT']);
  expect(json.error?.problems).toMatchObject([{ line: 2 }, { line: 8 }, { line: 6 }]);
  expect(stderr).toContain('orgchat.yaml:2: tags "A": color must be one of neutral, blue');
});

describe('diff', () => {
  test('tells what the file changed from what drifted', async () => {
    change(['color: pink', 'color: green']);
    await cli.run(['tags', 'update', 'Newsletter', '--color', 'orange', '-q']);
    await cli.run(['tags', 'create', '--name', 'Rival', '--color', 'blue', '-q']);
    const { code, json } = await config('diff', 'orgchat.yaml', '--exit-code');
    expect(code).toBe(2);
    expect(json.changes).toMatchObject([
      {
        action: 'update',
        label: 'VIP',
        fields: [{ path: 'color', from: 'pink', to: 'green', origin: 'file' }],
      },
      {
        action: 'update',
        label: 'Newsletter',
        fields: [{ path: 'color', from: 'orange', to: 'blue', origin: 'drift' }],
      },
    ]);
    expect(json.others).toMatchObject([{ label: 'Rival', origin: 'drift' }]);
  });

  test('refuses to guess between two of one label', async () => {
    await cli.run(['tags', 'create', '--name', 'Twin', '--color', 'blue', '-q']);
    await cli.run(['tags', 'create', '--name', 'Twin', '--color', 'blue', '-q']);
    change(['\ntags:\n', '\ntags:\n  - name: Twin\n    color: blue\n']);
    const { code, json } = await config('diff', 'orgchat.yaml');
    expect([code, json.error?.message]).toEqual([
      3,
      expect.stringContaining('the organization has 2 of this label'),
    ]);
  });

  test('names a reference to nothing', async () => {
    change(['submitTagId: Newsletter', 'submitTagId: Nobody']);
    const { code, json } = await config('plan', 'orgchat.yaml');
    expect([code, json.error?.message]).toEqual([3, expect.stringContaining('none of tags named "Nobody"')]);
  });
});

describe('apply', () => {
  test('makes what is new first and refers to it', async () => {
    change(['\ntags:\n', newTag], ['submitTagId: Newsletter', 'submitTagId: Fresh']);
    expect((await config('apply', 'orgchat.yaml')).json).toMatchObject({
      applied: 2,
      failed: [],
      notBegun: [],
    });
    expect((await config('diff', 'orgchat.yaml')).json.differences).toBe(false as never);
    expect((await config('apply', 'orgchat.yaml')).json.applied).toBe(0 as never);
  });

  test('of a plan is a conflict where somebody was faster, and overwrites nothing', async () => {
    change(['color: pink', 'color: green']);
    await config('plan', 'orgchat.yaml', '-o', 'plan.json');
    await cli.run(['tags', 'update', 'VIP', '--color', 'brown', '-q']);
    const { code, json } = await config('apply', 'plan.json');
    expect([code, json.error?.code]).toEqual([5, 'STALE_REVISION']);
    expect((await cli.run(['tags', 'get', 'VIP', '--json'])).json.color).toBe('brown' as never);
  });

  test('of a plan twice does nothing twice', async () => {
    change(['\ntags:\n', newTag]);
    await config('plan', 'orgchat.yaml', '-o', 'plan.json');
    expect((await config('apply', 'plan.json')).json).toMatchObject({ applied: 1, replayed: 0 });
    expect((await config('apply', 'plan.json')).json).toMatchObject({ applied: 1, replayed: 1 });
    expect((await cli.run(['tags', 'list', '--search', 'Fresh', '--json'])).json).toHaveLength(1);
  });

  test('deletes only with --prune and a yes, and says what it cannot delete', async () => {
    await cli.run(['tags', 'create', '--name', 'Old', '--color', 'blue', '-q']);
    change([/\nrich-menus:[\s\S]*?\nlinks:/.exec(read())?.[0] ?? '', '\nrich-menus: []\n\nlinks:']);
    expect((await config('apply', 'orgchat.yaml')).json.applied).toBe(0 as never);
    const unasked = await config('apply', 'orgchat.yaml', '--prune');
    expect([unasked.code, unasked.json.error?.code]).toEqual([3, 'CONFIRMATION_NEEDED']);
    const pruned = await config('apply', 'orgchat.yaml', '--prune', '--yes');
    expect(pruned.json.steps).toMatchObject([{ action: 'delete', label: 'Old' }]);
    expect(pruned.stderr).toContain('cannot delete rich menus; these stay: Main menu');
  });

  test('with an unknown outcome exits 7, and goes on under the same operation ids', async () => {
    change(['\ntags:\n', newTag]);
    await cli.control('POST', '/faults', { effect: 'lose-response', action: 'create-tags' });
    const lost = await config('apply', 'orgchat.yaml', '--retries', '0');
    expect(lost.code).toBe(7);
    const again = await config('apply', 'orgchat.yaml');
    expect(again.json).toMatchObject({ applied: 1, replayed: 1 });
    expect(again.json.steps?.[0]?.operationId).toBe(lost.json.error?.operationId);
  });
});

test('a file travels: records are known by their label where their ids are not', async () => {
  const empty = {
    tags: [],
    templates: [],
    'auto-replies': [],
    scenarios: [],
    forms: [],
    'rich-menus': [],
    links: [],
    routes: [],
    broadcasts: [],
  };
  const seed = JSON.parse((await cli.run(['mock', 'seed'])).stdout) as {
    organizations: Record<string, unknown>[];
  };
  const friends = { friends: [], sites: [] };
  writeFileSync(
    join(cli.folder, 'empty.json'),
    JSON.stringify({ ...seed, organizations: [{ ...seed.organizations[0], ...empty, ...friends }] }),
  );
  const other = new Harness();
  await other.start('--seed', join(cli.folder, 'empty.json'));
  try {
    const applied = await other.run(['config', 'apply', path, '--pacing', 'off', '--json']);
    // The demo's menu switches to itself, so it takes a second step.
    expect(applied.json).toMatchObject({ applied: 17, failed: [] });
    const after = await other.run(['config', 'diff', path, '--pacing', 'off', '--exit-code', '--json']);
    expect([after.code, after.json.unchanged]).toEqual([0, 16]);
  } finally {
    await other.end();
  }
});

test('the drill finds nothing applied twice, however often it is killed', async () => {
  change(
    ['\ntags:\n', newTag],
    ['submitTagId: Newsletter', 'submitTagId: Fresh'],
    ['color: pink', 'color: green'],
  );
  const { code, json } = await cli.run(['mock', 'drill', 'orgchat.yaml', '--json']);
  expect(json).toMatchObject({ steps: 3, kills: 3, appliedTwice: 0, lost: 0 });
  expect(code).toBe(0);
});
