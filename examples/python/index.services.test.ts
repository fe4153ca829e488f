import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { builtCommand } from '../../packages/cli/test-support/build.ts';

interface Report {
  readonly ok: number;
  readonly rows: readonly { readonly write: number; readonly fault: string; readonly verdict: string }[];
}

/** The report of `mock drill` for a program of this folder. Only the faults that the test names are injected. */
async function drill(program: string, ...faults: string[]): Promise<{ code: number; report: Report }> {
  const script = fileURLToPath(new URL(program, import.meta.url));
  const args = ['mock', 'drill', '--json', '--jobs', '4', ...faults.flatMap((name) => ['--fault', name])];
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const command = [builtCommand().entry, ...args, '--', 'python3', script];
  const { stdout, code } = await promisify(execFile)(process.execPath, command, { env }).then(
    (done) => ({ ...done, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  return { code, report: JSON.parse(stdout) as Report };
}

it('[6.6] a Python client that repeats the same operationId loses and doubles nothing', async () => {
  const { code, report } = await drill('import_tags.py', 'lose-response', 'kill');
  expect([code, report.ok, report.rows.length]).toEqual([0, 6, 6]);
});

it('a naive Python client doubles every write whose answer is lost', async () => {
  const { code, report } = await drill('naive_import.py', 'lose-response');
  expect(code).toBe(5);
  expect(report.rows.map(({ verdict }) => verdict)).toEqual(['doubled', 'doubled', 'doubled']);
});
