import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMock, type Listening, type Mock } from '@orgchat/mock-server';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bundleText } from '../../test-support/bundle-program.ts';
import { blocksOf, readPage, recipe, root, toPattern } from '../../test-support/cookbook.ts';

/*
 * The recipes of docs/cookbook.md and docs/adopt-the-mock.md that run as programs of their own: commands, workflows, and what
 * ends by a signal.
 */

const run = promisify(execFile);
let mock: Mock;
let server: Listening;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  mock = createMock({ rateLimit: 'off' });
  server = await mock.listen({ port: 0 });
  // Below the root, where the packages are found as a user finds them.
  folder = await mkdtemp(join(root, 'node_modules/.cookbook-'));
  // What runs as npm and npx here stays in this folder: the packages are installed already.
  await mkdir(join(folder, 'bin'));
  const program = bundleText(`import { createClient } from '@orgchat/sdk';
const { replayed } = await createClient().tags.create({ name: 'Program', color: 'blue' });
console.log(replayed ? 'sent twice' : 'sent once');`);
  const createTag = `exec node ${program}`;
  const programs = {
    npx: '[ "$1 $2" = "--no --" ] && shift 2; exec "$@"',
    npm: `case "$1" in ci | install) ;; *) ${createTag} ;; esac`,
    '../your-program': createTag,
    // Runs the test of the page as pytest does, which is not installed everywhere.
    pytest: `exec python3 -c "import runpy, sys
tests = [run for name, run in runpy.run_path(sys.argv[2]).items() if name.startswith('test_')]
for run in tests: run()
print('.'.ljust(28), '[100%]\\n' + str(len(tests)), 'passed in 0.05s')" "$@"`,
  };
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  mock.reset();
  const path = [join(folder, 'bin'), join(root, 'node_modules/.bin'), process.env.PATH].join(':');
  env = {
    ...process.env,
    PATH: path,
    ORGCHAT_API_KEY: 'demo-write-key',
    ORGCHAT_BASE_URL: server.baseUrl,
    XDG_STATE_HOME: await mkdtemp(join(folder, 'state-')),
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
  };
});

/** Runs a shell script and returns what it printed. */
async function shell(script: string): Promise<string> {
  const { stdout } = await run('bash', ['-euc', script], { cwd: folder, env });
  return stdout;
}

/** The commands of a job of a workflow, in order. */
function stepsOf(workflow: string, job: string): string[] {
  const { jobs } = parse(recipe('yaml', workflow)) as { jobs: Record<string, { steps: { run?: string }[] }> };
  return (jobs[job]?.steps ?? []).flatMap(({ run: script }) => (script === undefined ? [] : [script]));
}

/** How many changes the mock applied. */
const applied = (): number => mock.requests.list().filter((request) => request.applied === true).length;

describe('a recipe of commands', () => {
  it('webhook: the app is started with the id of a scenario', async () => {
    const commands = recipe('sh', 'webhook-start')
      .replace(/^orgchat mock start.*\n/, '')
      .replace('http://127.0.0.1:4010/api/v1', server.baseUrl);
    const [scenario] = mock.records({ resource: 'scenarios' }).records;
    expect(await shell(`${commands}echo "$WELCOME_SCENARIO_ID"`)).toBe(`${scenario?.id}\n`);
  });

  it('keywords: an import reports a lost batch, and sends it again on request', async () => {
    await writeFile(join(folder, 'words.txt'), Array.from({ length: 60 }, (_, n) => `word ${n}\n`).join(''));
    const [first = '', second = ''] = recipe('sh', 'keywords').trim().split('\n');
    mock.faults.arm({ effect: 'lose-response', operation: 'addSeoKeywords' });
    await expect(shell(first)).rejects.toMatchObject({ code: 7 });
    expect(JSON.parse(await shell(second))).toMatchObject({ unknown: [], skipped: { length: 50 } });
  });

  it('adopt: a command runs with a mock of its own, and with the data of a seed', async () => {
    expect(await shell(recipe('sh', 'pytest').replace(/pytest.*/, './your-program'))).toBe('sent once\n');
    const shown = blocksOf(readPage('adopt-the-mock'), 'text');
    expect([...shown.keys()]).toEqual(['pytest', 'seed', 'mistake', 'start', 'sandbox', 'fault', 'refused']);
    await writeFile(join(folder, 'seed.yaml'), recipe('yaml', 'seed.yaml'));
    expect(await shell(recipe('sh', 'seed'))).toBe(shown.get('seed'));
    await expect(shell(recipe('sh', 'mistake'))).rejects.toMatchObject({
      stderr: expect.stringMatching(toPattern(shown.get('mistake') ?? '')),
    });
  });

  it.each([
    ['python', 'test_tags.py', 'pytest', 'AssertionError'],
    ['js', 'tags.test.mjs', 'node', 'AssertionError'],
    ['go', 'tags_test.go', 'go', 'The tag VIP is missing'],
  ] as const)(
    'adopt: a test in %s passes with the demo, and fails without the tag',
    async (language, file, name, reason) => {
      const test = blocksOf(readPage('adopt-the-mock'), language).get(file) ?? '';
      await writeFile(join(folder, 'go.mod'), 'module shop\n\ngo 1.19\n');
      await writeFile(join(folder, file), test);
      const printed = await shell(recipe('sh', name));
      if (name === 'pytest')
        expect(printed).toContain(blocksOf(readPage('adopt-the-mock'), 'text').get(name));
      await writeFile(join(folder, file), test.replaceAll(/(["'])VIP\1/g, '"No such tag"'));
      const failed = await shell(recipe('sh', name)).catch(
        (error: { stdout: string; stderr: string }) => error,
      );
      expect(Object.values(failed).join()).toContain(reason);
      await rm(join(folder, file));
    },
  );

  it('ci: a container is reached at the port of the image, and has the token that it requires', async () => {
    const image = await readFile(join(root, 'Containerfile'), 'utf8');
    const [, port = ''] = /^EXPOSE (\d+)$/m.exec(image) ?? [];
    const [, variable = ''] = /--env (\w+) orgchat-mock$/m.exec(image) ?? [];
    const commands = blocksOf(readPage('ci'), 'sh').get('container');
    expect(commands).toContain(`:${port}:${port} `);
    expect(commands).toContain(`--env ${variable}=`);
  });

  it('adopt: a sandbox is created in the same way below mock exec', async () => {
    await writeFile(join(folder, 'sandbox.sh'), recipe('sh', 'sandbox'));
    const sandbox = JSON.parse(await shell('orgchat mock exec -- sh sandbox.sh')) as { controlUrl: string };
    expect(sandbox.controlUrl).toMatch(/\/_mock$/);
  });

  it('adopt: the address of the mock is the one that the fixtures begin with', async () => {
    const [, exported = ''] = /ORGCHAT_MOCK_URL=(\S+)/.exec(recipe('sh', 'start')) ?? [];
    const fixtures = join(root, 'packages/cli/fixtures');
    const files = await readdir(fixtures);
    expect(files).toHaveLength(3);
    for (const file of files)
      expect(await readFile(join(fixtures, file), 'utf8')).toContain(`"ORGCHAT_MOCK_URL", "${exported}")`);
  });

  it('adopt: a mock in the background gives sandboxes, faults and reasons, until it is stopped', async () => {
    const unused = await mock.listen({ port: 0 });
    const { port } = new URL(unused.baseUrl);
    await unused.close();
    const steps = ['install', 'start', 'sandbox', 'fault', 'refused'].map((name) => recipe('sh', name));
    try {
      const printed = (await shell(steps.join('echo ---\n').replaceAll('4010', port))).split('---\n');
      const [, started, sandbox = '', fault, refused] = printed;
      const shown = blocksOf(readPage('adopt-the-mock').replaceAll('4010', port), 'text');
      for (const [name, text] of Object.entries({ start: started, sandbox, fault, refused }))
        expect(text).toMatch(toPattern(shown.get(name) ?? 'a block'));
      expect(JSON.parse(sandbox)).toMatchObject({ baseUrl: expect.stringContaining(`:${port}/`) });
      expect(fault).toContain('sent twice\n');
      expect(refused).toMatch(/INVALID_INPUT[\s\S]*resource must be/);
    } finally {
      // The command takes the address of the server, too.
      await shell(`export ORGCHAT_MOCK_URL=http://127.0.0.1:${port}\n${recipe('sh', 'stop')}`);
    }
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('drill: finds that a program without an intent creates a record again after a kill', async () => {
    const drill = recipe('sh', 'drill').replace('drill --', 'drill --fault kill --');
    await expect(shell(drill)).rejects.toMatchObject({
      code: 5,
      stdout: expect.stringMatching(/"runs": 1,\s+"ok": 0,\s+"lost": 0,\s+"doubled": 1,/),
    });
    expect(await readFile(join(folder, 'drill.xml'), 'utf8')).toContain('type="doubled"');
  });

  it('test: the workflow passes with and without a lost answer', async () => {
    const printed: string[] = [];
    for (const step of stepsOf('test', 'test')) printed.push(await shell(step));
    expect(printed).toEqual(['', 'sent once\n', 'sent twice\n']);
  });

  it('editor: an export names its schema, which finds a mistake', async () => {
    await shell(recipe('sh', 'editor'));
    const text = await readFile(join(folder, 'orgchat.yaml'), 'utf8');
    const [, name = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    const judge = new Ajv2020().compile(JSON.parse(await readFile(join(folder, name), 'utf8')) as object);
    expect(judge(parse(text))).toBe(true);
    expect(judge(parse(text.replace('color:', 'colour:')))).toBe(false);
    expect(judge(parse(text.replace('color: pink', 'color: pin')))).toBe(false);
  });

  it('editor: a change that fits its schema is applied once', async () => {
    for (const _run of ['first', 'second']) await shell(recipe('sh', 'editor-change'));
    expect(applied()).toBe(1);
    const change: unknown = parse(await readFile(join(folder, 'spring.yaml'), 'utf8'));
    const schema: unknown = JSON.parse(await readFile(join(folder, 'create-tags.schema.json'), 'utf8'));
    expect(new Ajv2020().compile(schema as object)(change)).toBe(true);
  });

  it('review: a pull request shows the plan and the merge applies it, once', async () => {
    await shell('orgchat config export -o orgchat.yaml');
    const file = join(folder, 'orgchat.yaml');
    const tag = '  - name: Reviewed\n    color: pink\n';
    await writeFile(file, (await readFile(file, 'utf8')).replace('tags:\n', `tags:\n${tag}`));
    for (const step of stepsOf('review', 'plan')) await shell(step);
    const summary = await readFile(join(folder, 'summary.md'), 'utf8');
    expect(summary).toContain('Reviewed');
    // In an element, the names of the plan would be read as HTML.
    expect(summary).not.toContain('<pre>');
    expect(applied()).toBe(0);
    for (const _merge of ['first', 'second']) {
      for (const step of stepsOf('review', 'apply')) await shell(step);
      expect(applied()).toBe(1);
    }
  });
});

/** Starts a program of the page as a process. */
async function start(name: string, more: NodeJS.ProcessEnv = {}) {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const child = spawn(process.execPath, [bundleText(recipe('ts', name))], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: [...stdio],
  });
  const printed = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed.text += chunk));
  const ended = once(child, 'close').then(([code]) => ({ code, text: printed.text }));
  return { child, ended };
}

describe('a recipe for the operation of programs', () => {
  it('shutdown: finishes the call in progress, and the next process does the rest', async () => {
    mock.faults.arm({ effect: 'delay', action: 'create-tags', delayMs: 500, after: 1 });
    const { child, ended } = await start('shutdown');
    await expect.poll(applied, { interval: 5, timeout: 20_000 }).toBe(1);
    child.kill('SIGTERM');
    const first = await ended;
    expect(first.code).toBe(0);
    expect(first.text).toMatch(/^Spring exists\.\n(?:Summer exists\.\n)?$/);
    const second = await (await start('shutdown')).ended;
    expect(second).toMatchObject({ code: 0, text: 'Spring exists.\nSummer exists.\nFall exists.\n' });
    expect(applied()).toBe(3);
  });

  it('rotate: confirms that a key has no open operation', async () => {
    mock.patchKey('demo-read-key', { scope: 'write' });
    const { ended } = await start('rotate', { ORGCHAT_PREVIOUS_API_KEY: 'demo-read-key' });
    expect(await ended).toEqual({ code: 0, text: 'Nothing is open. Revoke the old key.\n' });
  });

  it('rotate: names the open operations of the old key', async () => {
    mock.faults.arm({ effect: 'lose-response', operation: 'addSeoKeywords' });
    await expect(shell('orgchat keywords add demo-site lost')).rejects.toMatchObject({ code: 7 });
    mock.patchKey('demo-read-key', { scope: 'write' });
    const keys = { ORGCHAT_PREVIOUS_API_KEY: 'demo-write-key', ORGCHAT_API_KEY: 'demo-read-key' };
    const { code, text } = await (await start('rotate', keys)).ended;
    expect(text).toMatch(/^Check keywords [\w-]+ before you revoke the key\.\n$/);
    expect(code).toBe(1);
  });

  it('app.test: the tests of the page pass in vitest', async () => {
    for (const name of ['app', 'app.test']) await writeFile(join(folder, `${name}.ts`), recipe('ts', name));
    // The folder is below node_modules, which vitest leaves out by default.
    const config = 'export default { test: { exclude: [], server: { deps: { inline: [/cookbook/] } } } };';
    await writeFile(join(folder, 'vitest.config.js'), config);
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const { stdout } = await run(process.execPath, [vitest, 'run', '--reporter=json'], { cwd: folder, env });
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({ success: true, numPassedTests: 2 });
  });
});
