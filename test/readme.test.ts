import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMock, type Listening } from '@orgchat/mock-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../', import.meta.url));
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

/** The address the README has in its examples. */
const printed = 'http://127.0.0.1:4010/api/v1';

/** The code under a heading, up to the next one. */
function codeUnder(heading: string, language: string): string {
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const code = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1];
  if (code === undefined) throw new Error(`README.md has no ${language} code under "${heading}"`);
  return code;
}

let server: Listening;
let folder: string;

beforeAll(async () => {
  server = await createMock().listen({ port: 0 });
  // Below the root, where the packages are found as a user finds them.
  folder = await mkdtemp(join(root, 'node_modules/.readme-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

async function runTypeScript(code: string): Promise<string> {
  const file = join(folder, 'example.mts');
  await writeFile(file, code.replaceAll(printed, server.baseUrl));
  const { stdout } = await run(process.execPath, ['--import', 'tsx', file], { cwd: root });
  return stdout;
}

/** What a shell has that was not itself started by npx: npx takes its own options from the environment. */
const shell = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

describe('what the README shows', () => {
  it('the SDK in ten lines', async () => {
    const printedNames = await runTypeScript(codeUnder('SDK', 'ts'));
    expect(printedNames).toContain('Emi Sato');
  });

  it('the mock in ten lines', async () => {
    expect(await runTypeScript(codeUnder('Mock', 'ts'))).toBe('true\n');
  });

  it('the command in ten lines', async () => {
    const script = codeUnder('CLI', '').replaceAll(printed, server.baseUrl);
    const { stdout } = await run('bash', ['-euc', script], { cwd: root, env: shell });
    expect(stdout).toContain('org_demo');
    expect(stdout).toContain('VIP');
  });

  it('what the example of a lost answer prints', async () => {
    const { stdout } = await run(process.execPath, ['--import', 'tsx', 'examples/lost-response/index.ts'], {
      cwd: root,
    });
    expect(readme).toContain(`$ npm run example lost-response\n${stdout}`);
  });
});
