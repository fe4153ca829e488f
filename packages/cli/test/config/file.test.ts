import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useConfigFile } from '../../test-support/config-harness.ts';

const file = useConfigFile({ inProcess: true });
const { cli } = file;

describe('export', () => {
  test('writes references as names, and equals the organization', async () => {
    expect(file.read()).toContain('submitScenarioId: Welcome series');
    expect(file.read()).not.toContain('accountId: 8d9');
    const { code, json } = await file.run(['diff', 'orgchat.yaml', '--exit-code']);
    expect([code, json.differences, json.unchanged]).toEqual([0, false, 16]);
  });

  test('does not change a file that is up to date', async () => {
    const before = file.read();
    expect((await file.run(['export', '-o', 'orgchat.yaml'])).json.result).toBe('unchanged' as never);
    expect(file.read()).toBe(before);
  });

  test('keeps comments and order of a file', async () => {
    file.edit(['    color: pink', '    color: pink # ours'], ['\ntemplates:', '\n# Texts\ntemplates:']);
    await file.rival('tags', 'update', 'VIP', '--color', 'green');
    await file.rival('tags', 'create', '--name', 'Later', '--color', 'blue');
    expect((await file.run(['export', '-o', 'orgchat.yaml'])).json.result).toBe('updated' as never);
    expect(file.read()).toContain('    color: green # ours');
    expect(file.read()).toContain('# Texts\ntemplates:');
    expect(file.read()).toMatch(/name: Trial\n {4}color: neutral\n {2}- id: .*\n {4}name: Later/);
    expect((await file.run(['export', '-o', 'orgchat.yaml'])).json.result).toBe('unchanged' as never);
  });

  test('writes records into an empty list one below the other, and keeps its comments', async () => {
    file.write('# ours\nversion: 1\ntags: [] # none yet\ntemplates: # later\nlinks:\n  []\n');
    const env = { ORGCHAT_STATE_DIR: join(cli.folder, 'elsewhere') };
    expect((await file.run(['export', '-o', 'orgchat.yaml', '--force'], { env })).code).toBe(0);
    expect(file.read()).toMatch(/^# ours\nversion: 1\ntags:[^[{]*\n {2}- id: /);
    expect(file.read()).not.toMatch(/[[{] ?"?id/);
    for (const note of ['# none yet', '# later']) expect(file.read()).toContain(note);
    expect((await file.run(['diff', 'orgchat.yaml'])).json).toMatchObject({
      differences: false,
      unchanged: 16,
    });
  });

  test('keeps the line endings of a file', async () => {
    file.write(`\ufeff${file.read().replaceAll('\n', '\r\n')}`);
    const before = file.read();
    expect((await file.run(['export', '-o', 'orgchat.yaml'])).json.result).toBe('unchanged' as never);
    await file.rival('tags', 'update', 'VIP', '--color', 'green');
    await file.run(['export', '-o', 'orgchat.yaml']);
    expect(file.read()).toBe(before.replace('color: pink', 'color: green'));
  });

  test('with --resources does not change other resources in the file', async () => {
    await cli.run(['config', 'export', '-o', 'orgchat.json', '-q']);
    await file.rival('tags', 'update', 'VIP', '--color', 'green');
    for (const name of ['orgchat.json', 'orgchat.yaml']) {
      expect((await file.run(['export', '--resources', 'tags', '-o', name])).json.result).toBe(
        'updated' as never,
      );
      expect((await file.run(['diff', name])).json).toMatchObject({ differences: false, unchanged: 16 });
    }
  });

  test('creates no directory', async () => {
    const { code, json } = await file.run(['export', '-o', 'nodir/orgchat.yaml']);
    expect([code, json.error?.code, json.error?.hint]).toEqual([
      3,
      'FILE_UNWRITABLE',
      'Create it: mkdir -p nodir',
    ]);
    expect(existsSync(join(cli.folder, 'nodir'))).toBe(false);
  });
});

describe('validate', () => {
  const broken = `tags:
  - name: A
    color: red
  - name: B
    color: blue
  - name: B
    color: blue
nothing: []
`;
  const offline = { env: { ORGCHAT_BASE_URL: undefined } };

  test('names line and field of every problem, without the network', async () => {
    file.write(broken);
    const { code, json } = await cli.run(['config', 'validate', 'orgchat.yaml', '--json'], offline);
    expect([code, json.error?.code]).toEqual([3, 'INVALID_INPUT']);
    expect(json.error?.problems).toMatchObject([{ line: 2 }, { line: 8 }, { line: 6 }]);
    const { stderr } = await cli.run(['config', 'validate', 'orgchat.yaml', '--format', 'table'], offline);
    expect(stderr).toContain('\n  orgchat.yaml:2: tag "A": color must be one of neutral, blue');
    expect(stderr).toContain('\n  orgchat.yaml:6: tag "B" is listed twice');
    expect(stderr).toContain('\n  orgchat.yaml:8: Unknown resource "nothing"');
  });

  test('names standard input, and suggests a valid command', async () => {
    const given = { ...offline, input: broken };
    const { json } = await cli.run(['config', 'validate', '-', '--json'], given);
    expect(json.error?.message).toMatch(/^Standard input is not valid:\n {2}line 2: /);
    expect(json.error?.hint).toMatch(/orgchat config validate -$/);
  });

  test.each([
    ['version: "1"', 1, 'Unknown version "1"; expected the number 1'],
    ['version: 1\ntags: !foo []', 2, /^Unresolved tag: !foo/],
    [
      'x-base: &base { color: blue }\ntags:\n  - { <<: *base, name: A }',
      3,
      /^merge keys \(<<\) are not supported/,
    ],
    [
      '%YAML 1.1\n---\nx-base: &base { color: blue }\ntags:\n  - { <<: *base, name: A }',
      5,
      /^merge keys \(<<\) are not supported/,
    ],
    ['tags:\n  - ? [name]\n    : A', 2, /^a key must be a text, not a list/],
    ['tags: []\n---\ntags: []', 2, 'it contains several documents; only one is allowed'],
  ])('%j is a problem with its line', async (text, line, message) => {
    file.write(`${text}\n`);
    const { code, json, stderr } = await cli.run(['config', 'validate', 'orgchat.yaml', '--json'], offline);
    expect([code, json.error?.problems]).toEqual([
      3,
      [{ line, message: typeof message === 'string' ? message : expect.stringMatching(message) }],
    ]);
    expect(stderr).toBe('');
  });
});

test("keys that begin with x- are the author's: they hold anchors, and an export keeps them", async () => {
  const own = 'x-colors:\n  ours: &ours green # of the brand\n';
  file.edit(['tags:\n', `${own}tags:\n`], ['color: pink', 'color: *ours']);
  expect((await file.run(['diff', 'orgchat.yaml'])).json.changes).toMatchObject([{ label: 'VIP' }]);
  expect((await file.run(['apply', 'orgchat.yaml', '--yes'])).json).toMatchObject({ applied: 1 });
  await file.rival('tags', 'create', '--name', 'Later', '--color', 'blue');
  expect((await file.run(['export', '-o', 'orgchat.yaml'])).json.result).toBe('updated' as never);
  expect(file.read()).toContain(own);
  expect(file.read()).toContain('color: *ours');
});
