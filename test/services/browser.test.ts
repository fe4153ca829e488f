import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/* The fixtures for Playwright with pages in Debian's Chromium. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const config = join(root, 'packages/mock-server/test-support/runners/browser.config.mjs');

test.runIf(process.platform === 'linux')('the sandbox of a test answers what a page sends', () => {
  const output = mkdtempSync(join(tmpdir(), 'browser-'));
  const { VITEST: _vitest, NODE_ENV: _environment, ...env } = process.env;
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cli, 'test', '--config', config, '--reporter=line', '--output', output],
    { encoding: 'utf8', env: { ...env, NO_COLOR: '1', FORCE_COLOR: '0' } },
  );
  rmSync(output, { recursive: true, force: true });
  expect(stdout + stderr).toContain('3 passed');
  expect(status).toBe(0);
});
