import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadCommand } from '../../src/define-command.ts';
import { commandFields } from '../../src/output/command-fields.ts';
import { findPrintedFields } from '../../src/output/printed-fields.ts';
import { createProgram } from '../../src/program.ts';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });
const formats = ['json', 'ndjson', 'yaml', 'table', 'value'];
const requests = async () => (await cli.received('changeChat')).length;

test.each(formats)('a create prints fields of the record, as %s', async (format) => {
  const create = ['tags', 'create', '--name', `New ${format}`, '--color', 'blue'];
  const { code, stdout, stderr } = await cli.run([...create, '--format', format, '--fields', 'id,name']);
  const id = /[\da-f]{8}-[\da-f-]{27}/.exec(stdout)?.[0];
  expect([code, (await cli.run(['tags', 'get', `${id}`])).json.name]).toEqual([0, `New ${format}`]);
  expect(stdout).toContain(`New ${format}`);
  expect(stdout).not.toContain('operationId');
  expect(stderr).toMatch(/^Applied as operation [\da-f-]{36}\.$/m);
});

test('the same names are those of update, delete, tag and enroll, and of what the change came to', async () => {
  const json = async (...args: string[]) => (await cli.run([...args, '--json', '--yes'])).json;
  expect(await json('tags', 'update', 'VIP', '--color', 'blue', '--fields', 'color,outcome')).toEqual({
    color: 'blue',
    outcome: 'applied',
  });
  expect(await json('tags', 'delete', 'Trial', '--fields', 'deleted')).toEqual({ deleted: true });
  const { userId } = (await cli.run(['friends', 'get', 'Emi Sato'])).json;
  expect(
    await json('friends', 'tag', String(userId), '--clear', '--fields', 'tagIds,displayName'),
  ).toMatchObject({ tagIds: [], displayName: 'Emi Sato' });
  expect(
    await json('friends', 'enroll', String(userId), '--scenario', 'Welcome series', '--fields', 'status'),
  ).toEqual({ status: 'active' });
});

test.each([
  [['tags', 'create', '--name', 'X', '--color', 'blue', '--fields', 'id,nmae'], 'nmae', 'name'],
  [['tags', 'create', '--name', 'X', '--color', 'blue', '--fields', 'result.id'], 'result.id', 'id'],
  [['tags', 'update', 'VIP', '--color', 'blue', '--fields', 'tint'], 'tint', 'color'],
  [['tags', 'delete', 'VIP', '--yes', '--fields', 'gone'], 'gone', 'deleted'],
  [['friends', 'enroll', 'x', '--scenario', 'x', '--fields', 'tagIds'], 'tagIds', 'status'],
  [['config', 'apply', 'none.yaml', '--fields', 'nope'], 'nope', 'applied'],
  [['keywords', 'add', 'demo-site', 'x', '--fields', 'nope'], 'nope', 'added'],
  [['change', '-', '--fields', 'nope'], 'nope', 'color'],
])('%j names an unknown field: nothing is sent', async (args, unknown, known) => {
  const input = '{"action":"create-tags","data":{"name":"X","color":"blue"}}';
  const { code, json } = await cli.run([...args, '--json'], { input });
  expect([code, json.error]).toMatchObject([
    3,
    {
      code: 'UNKNOWN_FIELD',
      message: `Unknown field in --fields: "${unknown}".`,
      hint: expect.stringMatching(new RegExp(`^Available fields: .*\\b${known}\\b`)),
    },
  ]);
  expect(await requests()).toBe(0);
});

test.each(formats)('an unknown field of a list or a record prints nothing, as %s', async (format) => {
  for (const args of [
    ['tags', 'list'],
    ['tags', 'get', 'VIP'],
    ['account'],
    ['tags', 'list', '--search', 'none'],
  ]) {
    const { code, stdout, stderr } = await cli.run([...args, '--fields', 'nope', '--format', format]);
    expect(code).toBe(3);
    if (format === 'json' || format === 'ndjson') expect(JSON.parse(stdout)).toHaveProperty('error');
    else
      expect([stdout, stderr]).toEqual(['', expect.stringContaining('Unknown field in --fields: "nope".')]);
  }
});

test('a field inside of another one is known, and a mistake in it is not', async () => {
  expect((await cli.run(['account', '--fields', 'key.scope,api.limit', '--json'])).json).toMatchObject({
    'key.scope': 'write',
  });
  expect((await cli.run(['account', '--fields', 'api.limmit', '--json'])).code).toBe(3);
});

test('a field that only this server sends is known once a record has it', async () => {
  const { createServer } = await import('node:http');
  const api = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({
        records: [
          { id: 'a', name: 'A', madeBy: 'Mika' },
          { id: 'b', name: 'B' },
        ],
        total: 2,
        limited: false,
      }),
    );
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = api.address() as { port: number };
    const env = { ORGCHAT_BASE_URL: `http://127.0.0.1:${port}/api/v1` };
    const { code, stdout } = await cli.run(
      ['accounts', 'list', '--fields', 'name,madeBy', '--format', 'value'],
      { env },
    );
    expect([code, stdout]).toEqual([0, 'A\tMika\nB\t\n']);
  } finally {
    api.close();
  }
});

test.each([
  [['tags', 'delete', 'VIP', '--fields', 'deleted']],
  [['tags', 'delete', 'VIP', 'Trial', '--fields', 'deleted']],
  [['friends', 'tag', '-', '--clear', '--fields', 'tagIds']],
])('a request is printed whole, so --fields does not fit --dry-run: %j', async (args) => {
  const { code, json } = await cli.run([...args, '--dry-run', '--json'], { input: `U${'0'.repeat(32)}\n` });
  expect([code, json.error?.code]).toEqual([3, 'USAGE']);
});

test('what every command prints is known', async () => {
  const unknown: string[] = [];
  const program = createProgram({ exitCode: 0 });
  const visit = async (command: typeof program, path: readonly string[]): Promise<void> => {
    await loadCommand(command);
    for (const child of command.commands) await visit(child, [...path, child.name()]);
    if (command.commands.length === 0 && (await findPrintedFields(path)) === undefined)
      unknown.push(path.join(' '));
  };
  for (const command of program.commands) await visit(command, [command.name()]);
  // The rest depends on its input, or has no fields.
  const mock = ['start', 'exec', 'state save', 'inject', 'records', 'seed', 'drill', 'fixture'];
  const mockCommands = mock.map((name) => `mock ${name}`);
  expect(unknown).toEqual([
    'change',
    'ops resume',
    ...mockCommands,
    'schema',
    'completion',
    'complete',
    'help',
  ]);
});

test('--fields can name all that a command prints, and nothing else', async () => {
  const run = async (...args: string[]): Promise<void> => {
    const { json } = await cli.run([...args, '--json'], {
      env: args[0] === 'auth' && args[1] !== 'status' ? { ORGCHAT_CONFIG_DIR: cli.folder } : {},
      input: args[0] === 'auth' ? 'demo-write-key\n' : 'autumn\n',
    });
    const rows = Array.isArray(json) ? json : ((json as { checks?: unknown }).checks ?? json);
    const path = args.slice(0, args[0] === 'doctor' ? 1 : 2).join(' ');
    const names = printed.get(path) ?? new Set();
    for (const row of [rows].flat()) for (const name of Object.keys(Object(row))) names.add(name);
    printed.set(path, names);
  };
  const printed = new Map<string, Set<string>>();
  const inFolder = (name: string) => join(cli.folder, name);
  await run('auth', 'login', '--insecure-storage', '--with-token');
  await run('auth', 'list');
  await run('auth', 'switch', 'default');
  await run('auth', 'status');
  await run('auth', 'logout');
  await run('doctor');
  await run('config', 'export', '-o', inFolder('fields.yaml'), '--schema', inFolder('schema.json'));
  await cli.run(['tags', 'update', 'VIP', '--color', 'green', '--intent', 'fields']);
  await run('config', 'export', '-o', inFolder('fields.yaml'), '--only', 'tags/VIP');
  await run('config', 'validate', inFolder('fields.yaml'));
  await run('config', 'diff', inFolder('fields.yaml'), '--only', 'tags/VIP');
  await run('config', 'apply', inFolder('fields.yaml'), '--yes');
  await run('config', 'apply', inFolder('fields.yaml'), '--dry-run', '--only', 'tags/VIP');
  await run('keywords', 'import', 'demo-site', '-', '--input', 'text');
  await run('keywords', 'add', 'demo-site', 'spring', '--group', 'season', '--dry-run');
  await run('ops', 'list');
  const { operationId } = (await cli.run(['ops', 'list', '--json'])).json[0] ?? {};
  await run('ops', 'show', String(operationId), '--check');
  await run('ops', 'forget', String(operationId), '--yes');
  // What is printed only in certain states.
  const rare: Readonly<Record<string, readonly string[]>> = {
    'auth status': ['journal', 'journalFrom'],
    'auth login': ['journal', 'server'],
    doctor: ['hint'],
    'config diff': ['unfinished'],
    'config apply': ['unfinished'],
    'ops list': ['result', 'error', 'token', 'nextAttempt'],
    'ops show': ['result', 'error', 'token', 'nextAttempt'],
  };
  for (const [path, names] of printed) {
    const known = new Set(commandFields[path]);
    expect([path, [...names].filter((name) => !known.has(name))]).toEqual([path, []]);
    const missing = [...known].filter((name) => !names.has(name) && !rare[path]?.includes(name));
    if (!path.startsWith('keywords')) expect([path, missing]).toEqual([path, []]);
  }
});

test.each([[['config', 'export']], [['config', 'plan', 'none.yaml', '-o', '-']]])(
  '%j prints a document, so --fields does not fit',
  async (args) => {
    const { code, stderr } = await cli.run([...args, '--fields', args[1] === 'plan' ? 'changes' : 'file']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('tandard output gets')]);
  },
);

test('--format value requires --fields', async () => {
  const { code, stdout, stderr } = await cli.run(['tags', 'list', '--format', 'value']);
  expect([code, stdout, stderr]).toEqual([3, '', expect.stringContaining('next: Pass --fields id,name')]);
});

test('--format value prints a line per record', async () => {
  const list = await cli.run(['tags', 'list', '--format', 'value', '--fields', 'name,color']);
  expect(list.stdout).toBe('Trial\tneutral\nNewsletter\tblue\nVIP\tpink\n');
  const name = 'a\tb\nc\\d';
  await cli.run(['templates', 'create', '--data', '-'], { input: JSON.stringify({ name: 'T', text: name }) });
  const got = await cli.run(['templates', 'get', 'T', '--format', 'value', '--fields', 'text,name']);
  expect(got.stdout).toBe('a\\tb\\nc\\\\d\tT\n');
});

test('an error leaves stdout free with --format value', async () => {
  const { code, stdout, stderr } = await cli.run([
    'tags',
    'get',
    'Nobody',
    '--format',
    'value',
    '--fields',
    'id',
  ]);
  expect([code, stdout, stderr]).toEqual([6, '', expect.stringContaining('No tag named "Nobody".')]);
});
