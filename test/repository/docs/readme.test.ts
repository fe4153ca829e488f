import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMock, type Listening } from '@orgchat/mock-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { banner } from '../../../packages/cli/src/mock/banner.ts';
import { bundleProgram } from '../../test-support/bundle-program.ts';
import { blocksOf, toPattern } from '../../test-support/cookbook.ts';
import { fromSources } from '../../test-support/from-sources.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const readme = await readFile(join(root, 'README.md'), 'utf8');
const homePage = await readFile(join(root, 'docs/site/pages/index.md'), 'utf8');

/** The address the README has in its examples. */
const printed = 'http://127.0.0.1:4010/api/v1';

/** The blocks of code under a heading, up to the next one, as one program. */
function codeUnder(heading: string, language: string): string {
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const blocks = section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'));
  const code = Array.from(blocks, ([, block]) => block).join('');
  if (code === '') throw new Error(`The page has no ${language} code under "${heading}".`);
  return code;
}

let server: Listening;
let folder: string;

beforeAll(async () => {
  server = await createMock({ rateLimit: 'off' }).listen({ port: 0 });
  // Below the root, where the packages are found as a user finds them.
  folder = await mkdtemp(join(root, 'node_modules/.readme-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

let programs = 0;
async function runTypeScript(code: string): Promise<string> {
  const file = join(folder, `program-${programs++}.mts`);
  await writeFile(file, code.replaceAll(printed, server.baseUrl));
  const env = { ...process.env, XDG_STATE_HOME: folder };
  const { stdout } = await run(process.execPath, [bundleProgram(file)], { cwd: root, env });
  return stdout;
}

/** The environment of a shell that was not itself started by npx: npx reads its options from the environment. */
const shell = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

describe('what the README shows', () => {
  it('recipes of the SDK run, one after the other', async () => {
    const output = await runTypeScript(codeUnder('SDK', 'ts'));
    expect(output).toContain('created');
    expect(output).toContain('Emi Sato');
  });

  it('the recipe of the mock runs', async () => {
    expect(await runTypeScript(codeUnder('Mock', 'ts'))).toBe('true\n');
  });

  it('recipes of the CLI run, one after the other', async () => {
    const npx = 'npx --no -- ';
    const [first = '', ...others] = codeUnder('CLI', '').replaceAll(printed, server.baseUrl).split(npx);
    // npx takes a second to start, so it starts one of the commands; the others are the same program.
    const script = `${first}${npx}${others.join('')}`;
    const env = {
      ...shell,
      PATH: `${join(root, 'node_modules/.bin')}:${shell.PATH}`,
      XDG_STATE_HOME: folder,
    };
    const { stdout } = await run('bash', ['-euc', script], { cwd: folder, env });
    expect(stdout).toContain('org_demo');
    expect(stdout).toContain('VIP');
    expect(await readFile(join(folder, 'orgchat.yaml'), 'utf8')).toContain('name: VIP');
  }, 60_000);

  it('the output of the example is what it prints', async () => {
    const { stdout } = await run(process.execPath, [...fromSources, 'examples/lost-response/index.ts'], {
      cwd: root,
    });
    expect(readme).toContain(`$ npm run example lost-response\n${stdout}`);
  });

  it('is what `npm start` prints', () => {
    const [, shown = ''] = /^```\n(The orgchat mock server is ready[\s\S]*?)^```$/m.exec(readme) ?? [];
    const text = banner({
      keys: ['demo-write-key'],
      writeKey: 'demo-write-key',
      baseUrl: printed,
      controlUrl: 'http://127.0.0.1:4010/_mock',
      inspectorUrl: 'http://127.0.0.1:4010/_mock/',
      controlToken: undefined,
    });
    expect(shown).toContain('Inspector');
    expect(text).toMatch(toPattern(shown));
  });
});

it('the program of the first page of the site passes, and prints what is shown', async () => {
  const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(homePage) ?? [];
  expect(code).toMatch(/assert\.ok\(replayed\)/);
  expect(await runTypeScript(code)).toBe(blocksOf(homePage, 'text').get('output'));
});

describe('the code of the pages for newcomers', () => {
  const names = [
    'README.md',
    'docs/lost-answer.md',
    'docs/adopt-the-mock.md',
    'docs/cookbook.md',
    'docs/site/pages/index.md',
  ];

  it.each(names)('%s fits into 72 columns, the width of a page of the site', async (name) => {
    const page = await readFile(join(root, name), 'utf8');
    const lines = Array.from(page.matchAll(/^ *```[^\n]*\n([\s\S]*?)^ *```$/gm), ([, code = '']) =>
      code.split('\n'),
    );
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.flat().filter((line) => line.length > 72)).toEqual([]);
  });
});
