import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { bundleProgram } from '../../../../test/test-support/bundle-program.ts';

const child = fileURLToPath(new URL('../../test-support/first-request-child.ts', import.meta.url));

it('the first request over HTTP does not make Node load its fetch, which takes 15 ms', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [bundleProgram(child)]);
  expect(JSON.parse(stdout)).toEqual([]);
});
