import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { installPackage } from '../test-support/programs/install-package.ts';

/*
 * Copies of the package in one process, as they are built and installed: for ES modules and for CommonJS, those that a
 * dependency brings, and one in a minified bundle.
 */

const program = readFileSync(new URL('../test-support/programs/copies-program.mjs', import.meta.url), 'utf8');

test('each copy decides by the errors of the others as by its own', async () => {
  const { folder, file } = installPackage(program, ['@orgchat/sdk', 'orgchat-sdk-again']);
  await build({
    entryPoints: [join(folder, 'node_modules/@orgchat/sdk/dist/esm/index.js')],
    outfile: join(folder, 'bundle.mjs'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
  expect(JSON.parse(stdout)).toEqual({ classes: 15, pairs: 25 });
});
