import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Plan } from './plan/plan-schema.ts';
import { findHistoryPath, isBaseNewer, readBase, updateBase } from './sync-base.ts';

const key = { file: '/orgchat.yaml', baseUrl: 'http://localhost/api/v1', organizationId: 'org' };
const nothing = { whole: [], records: [], gone: [] };
const planFrom = (base: string | null): Plan => ({
  format: 'orgchat-plan',
  version: 2,
  ...key,
  createdAt: new Date().toISOString(),
  base,
  resources: [],
  steps: [],
  unchanged: [],
  unmanaged: [],
  gone: [],
  warnings: [],
});
const stamp = async (): Promise<string | null> => (await readBase(key))?.stamp ?? null;
const folder = mkdtempSync(join(tmpdir(), 'orgchat-agreement-'));

beforeEach(() => vi.stubEnv('ORGCHAT_STATE_DIR', folder));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

test('a plan is outdated if the base changed after it, including the first base', async () => {
  const first = planFrom(await stamp());
  expect(await isBaseNewer(first)).toBe(false);
  await updateBase(key, nothing);
  expect(await isBaseNewer(first)).toBe(true);
  const second = planFrom(await stamp());
  expect(await isBaseNewer(second)).toBe(false);
  await updateBase(key, nothing);
  expect(await isBaseNewer(second)).toBe(true);
});

test('setting the clock back does not outdate a plan or hide a later change', async () => {
  await updateBase(key, nothing);
  vi.useFakeTimers({ now: Date.now() - 86_400_000, toFake: ['Date'] });
  const plan = planFrom(await stamp());
  expect(await isBaseNewer(plan)).toBe(false);
  vi.setSystemTime(Date.now() - 86_400_000);
  await updateBase(key, nothing);
  expect(await isBaseNewer(plan)).toBe(true);
});

test('the base of standard input is never newer', async () => {
  expect(await isBaseNewer({ ...planFrom(null), file: null })).toBe(false);
});

test.skipIf(process.platform === 'win32')('only a regular file has a history, also a new one', async () => {
  mkdirSync(folder, { recursive: true });
  const pipe = join(folder, 'pipe');
  execFileSync('sh', ['-c', `mkfifo '${pipe}'`]);
  const here = import.meta.filename;
  for (const name of [here, join(folder, 'new.yaml')]) expect(await findHistoryPath(name)).toBe(name);
  for (const name of ['-', pipe, '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])
    expect(await findHistoryPath(name)).toBeNull();
});
