import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../src', import.meta.url));

/** Everything by which a module could write to a terminal on its own. */
const ways =
  /\bprocess\s*(?:\?\.|\.)\s*(?:stdout|stderr)\b|\bprocess\s*\[|\bconsole\s*\.|_rawDebug|writeSync\(|createWriteStream\(|'(?:node:)?(?:process|tty|readline|readline\/promises|console)'|'(?:cli-progress|@clack\/[\w-]+)'/;

/** The modules that may, each with tests of what it lets through. */
const allowed = [
  'input/prompt.ts',
  // Writes its file, by its number.
  'mock/exec/log-file.ts',
  'output/progress.ts',
  'output/streams.ts',
  'output/terminal.ts',
];

test('only the output layer writes to a terminal', () => {
  const writing = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => ways.test(readFileSync(join(root, name), 'utf8')));
  expect(writing.sort()).toEqual(allowed);
});

test.each([
  'process.stdout.write(label)',
  'process.stderr?.write(label)',
  "process['stdout'].write(label)",
  'console.error(label)',
  "import { stdout } from 'node:process'",
  "await import('cli-progress')",
  "import { text } from '@clack/prompts'",
  'writeSync(1, label)',
])('%s is found', (line) => {
  expect(line).toMatch(ways);
});
