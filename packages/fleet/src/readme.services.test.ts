import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMock } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { startPostgres } from '../test-support/postgres-server.ts';

/* The code of the README is one program: it runs against a real engine. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = Array.from(readme.matchAll(/^```ts\n([\s\S]*?)^```/gm), ([, code = '']) => code);

test('what the README shows runs', async () => {
  expect(blocks.length).toBeGreaterThan(1);
  const server = await startPostgres();
  const mock = createMock();
  const http = await mock.listen({ port: 0 });
  // Below the root, where the packages are found as a user finds them.
  const folder = mkdtempSync(join(root, 'node_modules/.fleet-readme-'));
  try {
    await server.pool().query('CREATE TABLE orders (number integer PRIMARY KEY)');
    const file = join(folder, 'example.mts');
    writeFileSync(file, `${blocks.join('\n')}\nawait pool.end();\n`);
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file], {
      cwd: root,
      timeout: 60_000,
      env: {
        ...process.env,
        DATABASE_URL: `postgres://postgres@127.0.0.1:${server.port}/postgres`,
        ORGCHAT_API_KEY: 'demo-write-key',
        ORGCHAT_BASE_URL: http.baseUrl,
      },
    });
    expect(stdout).toBe('1 []\n');
    expect(mock.operations()).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await http.close();
    await server.stop();
  }
});
