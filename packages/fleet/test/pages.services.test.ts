import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMock } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { fromSources } from '../../../test/test-support/from-sources.ts';
import { startPostgres } from '../test-support/engines/postgres-server.ts';
import { startRedis } from '../test-support/engines/redis-server.ts';

/* The code of the README and of its pages is three programs, one for each engine: they compile, and run against real ones. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (page: string): string => readFileSync(new URL(`../${page}`, import.meta.url), 'utf8');
const onPostgres = ['README.md', 'docs/outbox.md', 'docs/operating.md'].map(read).join('\n');
const onRedis = ['docs/redis.md', 'docs/bullmq.md'].map(read).join('\n');

/** The code of a part, in blocks with this name. */
const getCode = (part: string, name = ''): string =>
  Array.from(part.matchAll(/^```ts *(.*)\n([\s\S]*?)^```/gm), ([, title, code = '']) =>
    title === name ? code : '',
  ).join('\n');

/** Compiles a program as strictly as a user may. Returns what the compiler says. */
async function compile(folder: string, file: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
  const options = [
    '--noEmit',
    '--ignoreConfig',
    '--strict',
    '--noUncheckedIndexedAccess',
    '--skipLibCheck',
    '--target',
    'es2022',
  ];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [tsc, ...options, '--module', 'node16', '--types', 'node', file],
    { cwd: folder },
  ).catch((failed: { stdout: string }) => failed);
  return stdout;
}

/** Compiles and runs a program as a user would, and returns what it printed and how many operations the server has. */
async function runProgram(code: string, env: Readonly<Record<string, string>>) {
  const mock = createMock();
  const http = await mock.listen({ port: 0 });
  // Below the root, where the packages are found as a user finds them.
  const folder = mkdtempSync(join(root, 'node_modules/.fleet-readme-'));
  try {
    const file = join(folder, 'example.mts');
    writeFileSync(file, code);
    expect(await compile(folder, file)).toBe('');
    const given = { ORGCHAT_API_KEY: 'demo-write-key', ORGCHAT_BASE_URL: http.baseUrl, ...env };
    const { stdout } = await promisify(execFile)(process.execPath, [...fromSources, file], {
      cwd: folder,
      timeout: 60_000,
      env: { ...process.env, ...given },
    });
    return { stdout, operations: mock.operations().length };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await http.close();
  }
}

test('what the pages show for Postgres runs', async () => {
  const server = await startPostgres();
  try {
    await server.pool().query('CREATE TABLE orders (number integer PRIMARY KEY)');
    const url = `postgres://postgres@127.0.0.1:${server.port}/postgres`;
    const ran = await runProgram(`${getCode(onPostgres)}\nawait pool.end();\n`, { DATABASE_URL: url });
    expect(ran).toEqual({ stdout: '1 []\n', operations: 2 });
  } finally {
    await server.stop();
  }
});

test('what the pages show for PGlite runs, and its process ends', async () => {
  const ran = await runProgram(getCode(onPostgres, 'pglite'), {});
  expect(ran).toEqual({ stdout: '', operations: 1 });
});

test('what the pages show for Redis and BullMQ runs', async () => {
  const server = await startRedis();
  try {
    const end = `
      await new Promise((resolve) => worker.once('completed', resolve));
      await worker.close();
      await queue.close();
      await redis.quit();
    `;
    const url = `redis://127.0.0.1:${server.port}`;
    const ran = await runProgram(`${getCode(onRedis)}\n${end}`, { REDIS_URL: url });
    expect(ran).toEqual({ stdout: 'create-tags true\n', operations: 2 });
  } finally {
    await server.stop();
  }
});
