import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMock, type Listening } from '@orgchat/mock-server';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { compilePrograms, listPieces } from '../../../test/test-support/page-code.ts';
import { readPages } from '../../../test/test-support/read-pages.ts';

/* Each piece of code of the README and of its pages compiles and runs as printed, against the mock. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const pages = readPages('sdk');
const pieces = listPieces(pages);

let server: Listening;
let folder: string;

beforeAll(async () => {
  server = await createMock().listen({ port: 0 });
  // Below the root, where the packages are found as a user finds them.
  folder = await mkdtemp(join(root, 'node_modules/.readme-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** What a reader of a piece has from those before it. */
function whole(code: string): string {
  const declares = (name: string) => new RegExp(`const ${name}\\b`).test(code);
  return [
    /import \{[^}]*createClient/.test(code) ? '' : "import { createClient } from '@orgchat/sdk';",
    code.match(/^import .*$/gm)?.join('\n') ?? '',
    declares('client') ? '' : 'const client = createClient();',
    declares('vip') || !/\bvip\b/.test(code)
      ? ''
      : "const vip = await client.tags.create({ name: 'VIP', color: 'pink' });",
    code.replaceAll(/^import .*$/gm, ''),
    'export {};',
  ].join('\n');
}

test('the page of errors and the type of codes name each code of this package’s own, and no other', async () => {
  const src = fileURLToPath(new URL('../src/', import.meta.url));
  const files = (await readdir(src, { recursive: true })).filter((file) =>
    /^(?!generated|journal.conformance|errors.codes|.*test(-d)?\.ts$).*\.ts$/.test(file),
  );
  const sources = (await Promise.all(files.map((file) => readFile(join(src, file), 'utf8')))).join('\n');
  // Examples in comments also name codes of servers.
  const code = sources.replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const own = [...code.matchAll(/'((?:[A-Z]+_)+[A-Z]+|ABORTED|REDIRECTED)'/g)].flatMap(
    ([, name = '']) => name,
  );
  const examples = ['VERSION_CHANGED', 'IN_DOUBT'];
  const others = ['ORGCHAT_API_KEY', 'ORGCHAT_BASE_URL', 'ORGCHAT_LOG', ...examples];
  const typed = (await readFile(join(src, 'errors/codes.ts'), 'utf8')).match(/(?<=^ {2}\| ')[A-Z_]+/gm);
  expect(typed?.sort()).toEqual([...new Set(own)].filter((code) => !others.includes(code)).sort());
  const errors = pages.get('docs/errors.md') ?? '';
  const table = errors.slice(
    errors.indexOf('| code | class | meaning and what to do |'),
    errors.indexOf('The API key is in no error'),
  );
  const named = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/[A-Z][A-Z_]+/g) ?? [],
  );
  expect(named.sort()).toEqual([...new Set(own)].filter((code) => !others.includes(code)).sort());
});

describe('what the pages show', () => {
  test('has code', () => expect(pieces.length).toBeGreaterThan(6));

  test.each(pieces)('runs, piece $title', async ({ code, title }) => {
    const file = join(folder, `piece-${Number.parseInt(title, 10)}.ts`);
    await writeFile(file, whole(code));
    vi.stubEnv('ORGCHAT_API_KEY', 'demo-write-key');
    vi.stubEnv('ORGCHAT_BASE_URL', server.baseUrl);
    vi.stubEnv('ORGCHAT_PREVIOUS_API_KEY', 'demo-read-key');
    vi.stubEnv('JOURNAL_KEY', 'ab'.repeat(32));
    vi.stubEnv('XDG_STATE_HOME', folder);
    for (const method of ['log', 'error'] as const) vi.spyOn(console, method).mockReturnValue();
    // In this process: a new one for each piece takes longer than all of them here.
    await import(/* @vite-ignore */ file);
  });

  test('compiles', async () => {
    expect(
      await compilePrograms(
        folder,
        pieces.map(({ code }) => whole(code)),
      ),
    ).toBe('');
  }, 60_000);
});
