import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@orgchat/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { compilePrograms, listPieces } from '../../../test/test-support/page-code.ts';
import { readPages } from '../../../test/test-support/read-pages.ts';
import { createMock } from '../src/index.ts';

/*
 * What the README and its pages show compiles and runs as printed. The tests among it run in their runners:
 * `testing/runners.services.test.ts`. Commands of `orgchat` are checked with those of the command's own pages.
 */

const pages = readPages('mock-server');
const text = [...pages.values()].join('\n');
const pieces = listPieces(pages);
const blocks = (language: string): string[] =>
  Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
    ([, block = '']) => block,
  );
const [seed = ''] = blocks('yaml');

let folder: string;
beforeAll(async () => {
  // Below the root, where the packages are found as a user finds them.
  folder = await mkdtemp(fileURLToPath(new URL('../../../node_modules/.mock-pages-', import.meta.url)));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'seed.yaml'), seed);
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => {
  vi.restoreAllMocks();
});

/** A test for a runner, or a program for a browser. */
const runsElsewhere = (code: string): boolean => /\btest\(|msw\/browser/.test(code);

/** What a reader of a piece has: the fixture of a test, and what its code plainly imports. */
function whole(code: string): string {
  if (runsElsewhere(code)) return code;
  const declares = (name: string): boolean => new RegExp(`const ${name}\\b`).test(code);
  const given = ['mock', 'client', 'requestLog'].filter((name) => !declares(name));
  return [
    "import { createMock } from '@orgchat/mock-server';",
    "import { fixture } from '@orgchat/mock-server/node-test';",
    "import { StaleRevisionError } from '@orgchat/sdk';",
    "import { expect } from 'vitest';",
    code.match(/^import .*$/gm)?.join('\n') ?? '',
    `const { ${given.join(', ')} } = await fixture({ after() {}, diagnostic() {} });`,
    // Something has to happen, or the stream of events has nothing.
    code.includes('mock.events()') ? "void client.tags.create({ name: 'Seen', color: 'pink' });" : '',
    code.replaceAll(/^import .*$/gm, '').replace("'seed.yaml'", JSON.stringify(join(folder, 'seed.yaml'))),
    code.includes('setupServer') ? 'server.close();' : '',
    'export {};',
  ].join('\n');
}

describe('the code of the pages', () => {
  test('is there', () => expect(pieces.length).toBeGreaterThan(15));

  test('compiles', async () => {
    expect(
      await compilePrograms(
        folder,
        pieces.map(({ code }) => whole(code)),
      ),
    ).toBe('');
  }, 60_000);

  test.each(pieces.filter(({ code }) => !runsElsewhere(code)))('runs: $title', async ({ code, title }) => {
    const file = join(folder, `piece-${Number.parseInt(title, 10)}.ts`);
    await writeFile(file, whole(code));
    vi.spyOn(console, 'log').mockReturnValue();
    await import(/* @vite-ignore */ file);
  });
});

test('each request with curl is answered as the page says', async () => {
  const mock = await createMock({ seed: join(folder, 'seed.yaml') });
  const server = await mock.listen({ port: 0 });
  const client = createClient({ apiKey: 'shop-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch });
  // What the pages verify.
  for (const _time of ['first', 'second']) await client.tags.create({ name: 'Spring', color: 'pink' });
  const commands = blocks('sh')
    .flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
    .filter((line) => line.startsWith('curl '));
  expect(commands.length).toBeGreaterThan(5);
  try {
    for (const command of commands) {
      const here = command.replaceAll('http://127.0.0.1:4010', new URL(server.baseUrl).origin);
      // A stream of events has no end.
      const isStream = here.includes('/events');
      const script = here.replace('curl ', isStream ? 'curl --fail --max-time 1 ' : 'curl --fail ');
      const { code = 0 } = await promisify(execFile)('sh', ['-c', script]).then(
        () => ({ code: 0 }),
        (error: { code: number }) => error,
      );
      expect([command, code]).toEqual([command, isStream ? 28 : 0]);
    }
  } finally {
    await server.close();
  }
});

test('the seed is one, and the problem of a seed is reported as the page shows', async () => {
  const [problem = ''] = /^seed\.yaml: line \d+: .*$/m.exec(text) ?? [];
  const lines = seed.split('\n');
  lines.splice(11, 0, '      - { id: sale, name: Sale, color: red }');
  await writeFile(join(folder, 'wrong.yaml'), lines.join('\n'));
  await expect(createMock({ seed: join(folder, 'wrong.yaml') })).rejects.toThrow(
    problem.replace('seed.yaml', join(folder, 'wrong.yaml')),
  );
});

test('an entry of the request log has the fields that the page shows', async () => {
  const mock = createMock();
  const client = createClient({ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch });
  await client.tags.list();
  const { request, response, decidedBy } = mock.requests.get(1);
  const [bodies = '', reason = ''] = blocks('json');
  const shown = JSON.parse(bodies) as { request: object; response: object };
  expect(Object.keys(shown.request)).toEqual(Object.keys(request));
  expect(Object.keys(shown.response)).toEqual(Object.keys(response ?? {}));
  const shownReason = (JSON.parse(`{${reason}}`) as { decidedBy: object }).decidedBy;
  expect(Object.keys(shownReason)).toEqual(expect.arrayContaining(Object.keys(decidedBy)));
});
