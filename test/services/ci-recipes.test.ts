import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fromSources } from '../test-support/from-sources.ts';

/* The recipes of docs/ci.md: their form is checked, and their commands run as they are, with another port. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
const page = await read('docs/ci.md');

/** The first block of a language below a heading. */
function block(heading: string, language: string): string {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [, code] = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(section) ?? [];
  if (code === undefined) throw new Error(`docs/ci.md has no ${language} block below "${heading}"`);
  return code;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(root, 'node_modules/.ci-recipes-'));
  await mkdir(join(folder, 'bin'));
  const program = `exec node ${fromSources.join(' ')} ${join(folder, 'program.ts')}`;
  for (const [name, script] of [
    ['npx', '[ "$1 $2" = "--no --" ] && shift 2; exec "$@"'],
    ['npm', `[ "$1" = ci ] || ${program}`],
  ])
    await writeFile(join(folder, 'bin', name ?? ''), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'program.ts'),
    `import { createClient } from '@orgchat/sdk';
await createClient().tags.create({ name: 'Program', color: 'blue' });
const { ok } = await fetch(process.env.ORGCHAT_MOCK_URL + '/health');
console.log(ok ? 'tested' : 'no mock');`,
  );
});
afterAll(() => rm(folder, { recursive: true }));

let service: ChildProcess | undefined;
afterEach(async () => {
  if (service !== undefined && service.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  service = undefined;
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

type Variables = Readonly<Record<string, string>>;

function environment(variables: Variables): NodeJS.ProcessEnv {
  const { ORGCHAT_BASE_URL: _url, ORGCHAT_API_KEY: _key, ORGCHAT_MOCK_URL: _mock, ...env } = process.env;
  const path = [join(folder, 'bin'), join(root, 'node_modules/.bin'), env.PATH].join(':');
  const state = join(folder, 'state');
  return { ...env, PATH: path, ORGCHAT_STATE_DIR: state, ORGCHAT_CONFIG_DIR: state, ...variables };
}

async function shell(script: string, variables: Variables): Promise<string> {
  const options = { cwd: folder, env: environment(variables) };
  return (await promisify(execFile)('bash', ['-euc', script], options)).stdout;
}

/** Starts what the image starts, with the arguments of a recipe. */
async function startService(args: readonly string[], port: number, token: string): Promise<void> {
  const [, entrypoint = '[]'] = /^ENTRYPOINT (.*)$/m.exec(await read('Containerfile')) ?? [];
  const [node, command, ...own] = JSON.parse(entrypoint) as string[];
  expect([node, command]).toEqual(['node', '/opt/orgchat/node_modules/@orgchat/cli/bin/orgchat.cjs']);
  const cli = join(root, 'packages/cli/bin/orgchat.cjs');
  const env = environment({ ORGCHAT_MOCK_CONTROL_TOKEN: token });
  service = spawn(process.execPath, [cli, ...own, ...args, '--port', String(port)], { env, stdio: 'ignore' });
}

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const text = { type: 'string' };
const texts = { type: 'array', items: text, minItems: 1 };
const variables = { type: 'object', additionalProperties: text };
const closed = (properties: object, ...required: string[]): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** Checks the form of a file: the keys that these recipes may use, as the tools define them. */
function expectForm(value: unknown, schema: object): void {
  const validate = ajv.compile(schema);
  validate(value);
  expect(validate.errors).toBeNull();
}

interface Step {
  readonly run?: string;
  readonly uses?: string;
}

describe('the recipe for', { timeout: 120_000 }, () => {
  it('GitHub Actions starts, waits for, uses and stops a mock', async () => {
    const code = block('GitHub Actions', 'yaml');
    const step = closed({ name: text, uses: text, with: variables, run: text, if: text });
    const job = closed(
      { 'runs-on': text, env: variables, steps: { type: 'array', items: step } },
      'runs-on',
      'steps',
    );
    const workflow = parse(code) as { jobs: { test: { env: Variables; steps: Step[] } } };
    expectForm(
      workflow,
      closed(
        {
          name: text,
          on: texts,
          permissions: variables,
          jobs: { type: 'object', additionalProperties: job },
        },
        'on',
        'jobs',
      ),
    );
    const folders = await readdir(join(root, '.github/workflows'));
    const own = (await Promise.all(folders.map((file) => read(`.github/workflows/${file}`)))).join('\n');
    // The actions are pinned as in our own workflows.
    for (const [action] of code.matchAll(/uses: .*/g)) expect(own).toContain(action);
    const port = String(await freePort());
    const { env, steps } = workflow.jobs.test;
    const replaced = Object.entries({ ...env, ORGCHAT_MOCK_URL: 'http://127.0.0.1:4010/_mock' }).map(
      ([name, value]) => [name, value.replace('4010', port)],
    );
    const commands = steps.flatMap(({ run }) => run?.replace('4010', port) ?? []);
    expect(commands).toHaveLength(6);
    const printed: string[] = [];
    for (const command of commands)
      printed.push(await shell(command, Object.fromEntries(replaced) as Variables));
    expect(printed[3]).toBe('tested\n');
    expect(printed[4]).toContain('create-tags');
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('GitLab CI waits for the service and uses it', async () => {
    const service = closed({ name: text, alias: text, command: texts }, 'name');
    const job = closed(
      {
        image: text,
        services: { type: 'array', items: service },
        variables,
        script: texts,
        after_script: texts,
      },
      'script',
    );
    const { test } = parse(block('GitLab CI', 'yaml')) as {
      test: {
        services: [{ command: string[] }];
        variables: Variables;
        script: string[];
        after_script: string[];
      };
    };
    expectForm({ test }, closed({ test: job }, 'test'));
    const port = await freePort();
    const { ORGCHAT_MOCK_CONTROL_TOKEN: token = '' } = test.variables;
    await startService(test.services[0].command, port, token);
    const own = Object.entries(test.variables).map(([name, value]) => [
      name,
      value.replace('mock:4010', `127.0.0.1:${port}`),
    ]);
    const commands = [...test.script, ...test.after_script].join('\n');
    const printed = await shell(commands, Object.fromEntries(own) as Variables);
    expect(printed).toContain('tested\n');
    expect(printed).toContain('create-tags');
  });

  it('Jenkins runs the tests with their own mock', async () => {
    const code = block('Jenkins', 'groovy');
    expect(code.match(/\{/g)).toHaveLength(code.match(/\}/g)?.length ?? 0);
    expect(code).toMatch(/^pipeline \{\n {2}agent \{.*\}\n[\s\S]*\n {2}stages \{/);
    const commands = Array.from(code.matchAll(/\bsh '([^']*)'/g), ([, command = '']) => command);
    expect(commands).toHaveLength(2);
    expect(await shell(commands.join('\n'), {})).toBe('tested\n');
  });

  it('Docker Compose builds the image, waits for its health check, and uses it', async () => {
    const service = closed({
      build: closed({ context: text, dockerfile: text }),
      image: text,
      working_dir: text,
      environment: variables,
      command: { type: ['array', 'string'], items: text },
      ports: texts,
      volumes: texts,
      depends_on: {
        type: 'object',
        additionalProperties: closed({ condition: { enum: ['service_healthy'] } }),
      },
    });
    const file = parse(block('Docker Compose', 'yaml')) as {
      services: {
        mock: { build: { dockerfile: string }; command: string[]; environment: Variables };
        test: { command: string; environment: Variables };
      };
    };
    expectForm(
      file,
      closed({
        services: { type: 'object', additionalProperties: service },
        volumes: { type: 'object', additionalProperties: { type: 'object' } },
      }),
    );
    const { mock, test } = file.services;
    const image = await read(mock.build.dockerfile);
    expect(image).toMatch(/^HEALTHCHECK /m);
    expect(image).toMatch(/^VOLUME \/data$/m);
    expect(mock.environment.ORGCHAT_MOCK_CONTROL_TOKEN).toBe(test.environment.ORGCHAT_MOCK_CONTROL_TOKEN);
    const port = await freePort();
    const args = mock.command.map((arg) => arg.replace('/data/', `${folder}/`));
    await startService(args, port, 'token-of-the-test');
    const own = Object.entries(test.environment).map(([name, value]) => [
      name,
      name.endsWith('TOKEN') ? 'token-of-the-test' : value.replace('mock:4010', `127.0.0.1:${port}`),
    ]);
    const variablesOfTest = Object.fromEntries(own) as Variables;
    // What the health check of the image runs.
    await shell('orgchat mock wait --timeout 30s', variablesOfTest);
    expect(await shell(test.command, variablesOfTest)).toBe('tested\n');
    expect(await shell('orgchat mock requests', variablesOfTest)).toContain('create-tags');
  });
});

it('the page names the variables that the help of the command names', async () => {
  const [, table = ''] = page.split('## Environment');
  const named = [...table.matchAll(/`(ORGCHAT_[A-Z_]+)`/g)].map(([, name]) => name);
  const sources = ['commands/help.ts', 'args/flag-variables.ts'];
  const help = (await Promise.all(sources.map((name) => read(`packages/cli/src/${name}`)))).join('\n');
  expect(named.filter((name) => name !== undefined && !help.includes(name))).toEqual([]);
});
