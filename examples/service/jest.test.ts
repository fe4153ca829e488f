import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the service passes its tests under Jest, with the built packages', { timeout: 60_000 }, async () => {
  const jest = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url));
  const config = fileURLToPath(new URL('./jest.config.cjs', import.meta.url));
  const args = [jest, '--config', config, '--ci', '--silent', '--runInBand', '--json'];
  // Without what vitest sets for its own tests.
  const env = { ...process.env, NODE_ENV: 'test', VITEST: undefined };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 3, numTotalTests: 3 });
});
