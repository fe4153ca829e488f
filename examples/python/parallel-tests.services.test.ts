import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtCommand } from '../../packages/cli/test-support/build.ts';

let mock: ChildProcess;
let controlUrl: string;

beforeAll(async () => {
  const args = [builtCommand().entry, 'mock', 'start', '--port', '0', '--rate-limit', 'off', '--json'];
  mock = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(mock.stdout ?? mock, 'data')) as [Buffer];
  ({ controlUrl } = JSON.parse(String(line)) as { controlUrl: string });
});
afterAll(async () => {
  const ended = once(mock, 'exit');
  mock.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the test suite in Python against the mock. */
async function runTests(...args: string[]): Promise<Run> {
  const script = fileURLToPath(new URL('parallel_tests.py', import.meta.url));
  const env = { ...process.env, ORGCHAT_MOCK_URL: controlUrl, PYTHONDONTWRITEBYTECODE: '1' };
  return promisify(execFile)('python3', [script, ...args], { env }).then(
    (done) => ({ ...done, code: 0 }),
    (error: Run) => error,
  );
}

const get = async (path: string): Promise<unknown> => (await fetch(`${controlUrl}${path}`)).json();

it('16 workers in Python run at the same time, each in a world of its own', async () => {
  expect(await runTests()).toEqual({ code: 0, stderr: '', stdout: '16 workers, 80 tests, 0 failed\n' });
  expect(await get('/sandboxes')).toEqual({ sandboxes: [] });
  expect(await get('/requests')).toMatchObject({ requests: [], dropped: { entries: 0 } });
});

it('the same tests fail in one world, so they would notice each other', async () => {
  expect(await runTests('--shared', '--workers', '1')).toMatchObject({ code: 0 });
  const { code, stderr } = await runTests('--shared', '--workers', '4');
  expect(code).toBe(1);
  expect(stderr).toContain('AssertionError');
  expect(await get('/sandboxes')).toEqual({ sandboxes: [] });
});
