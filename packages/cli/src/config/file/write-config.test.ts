import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readExistingConfig, writeConfig } from './write-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgchat-write-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(process.platform === 'win32')('a pipe is written to and never waited for', async () => {
  const pipe = join(folder, 'pipe');
  const copy = join(folder, 'copy.yaml');
  execFileSync('sh', ['-c', `mkfifo '${pipe}'; cat '${pipe}' > '${copy}' &`], { stdio: 'ignore' });
  expect(await writeConfig(pipe, await readExistingConfig(pipe), { tags: [] })).toBe('created');
  await expect.poll(() => readFileSync(copy, 'utf8')).toContain('tags: []');
});
