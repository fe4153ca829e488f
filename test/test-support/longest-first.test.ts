import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { longest } from './longest-first.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('each of the slowest files exists, so that a renamed one keeps its place', () => {
  const tracked = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' });
  const files = tracked.trim().split('\n');
  expect(longest.filter((part) => !files.some((file) => `/${file}`.includes(part)))).toEqual([]);
});
