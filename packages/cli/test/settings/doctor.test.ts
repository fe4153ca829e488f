import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });

test('doctor fails if a directory is not writable, and leaves no file in the others', async () => {
  const file = join(cli.folder, 'a-file');
  writeFileSync(file, '');
  const { code, json } = await cli.run(['doctor', '--json'], {
    env: { ORGCHAT_STATE_DIR: join(file, 'state') },
  });
  expect([code, json.ok]).toEqual([1, false]);
  const checks = json.checks as unknown as { check: string; result: string; detail: string }[];
  const directories = checks.find(({ check }) => check === 'directories');
  expect(directories).toMatchObject({ result: 'failed', detail: expect.stringContaining('Cannot write') });
  expect((await cli.run(['doctor', '--json'])).json.ok).toBe(true);
});

test('doctor measures the attempt that was answered, not its wait for the rate limit', async () => {
  const limit = { effect: 'respond', operation: 'getAccount', status: 429, retryAfter: 2 };
  await cli.control('POST', '/faults', limit);
  const { code, json, stderr } = await cli.run(['doctor', '--json']);
  expect([code, stderr]).toEqual([0, 'Waiting 2 s because the server reported a rate limit.\n']);
  const checks = json.checks as unknown as { check: string; detail: string }[];
  const detail = (name: string) => checks.find(({ check }) => check === name)?.detail;
  const [, ms] = /^answered in (\d+) ms, on attempt 2$/.exec(`${detail('reachable')}`) ?? [];
  expect(Number(ms)).toBeLessThan(2_000);
  expect(detail('clock')).toMatch(/^[01] s /);
});

test('help lists the flags of create and update', async () => {
  const { stdout } = await cli.run(['help', 'tags']);
  expect(stdout).toMatch(/create \[options\]/);
  expect(stdout).toMatch(/update \[options\] <id>/);
});
