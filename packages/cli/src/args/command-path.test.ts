import { expect, test } from 'vitest';
import { createProgram } from '../program.ts';
import { findCommandPath } from './command-path.ts';

test.each([
  ['mock exec -- true', 'mock exec'],
  ['--timeout 5s mock exec -- true', 'mock exec'],
  ['--timeout=5s --debug mock --format json exec x', 'mock exec'],
  ['-q mock -y exec', 'mock exec'],
  ['--profile mock exec', 'exec'],
  ['tags list -- mock exec', 'tags list'],
  ['--timeout', ''],
])('%s is %s', (line, path) => {
  expect(findCommandPath(createProgram({ exitCode: 0 }), line.split(' '), 2).join(' ')).toBe(path);
});
