import { describe, expect, test } from 'vitest';
import { loadCommand } from '../define-command.ts';
import { createProgram } from '../program.ts';
import { type CommandLine, loadCommandLine } from './command-line.ts';

const read = (words: readonly string[]): Promise<CommandLine> =>
  loadCommandLine(createProgram({ exitCode: 0 }), words, loadCommand);

test.each([
  ['mock exec -- true', 'mock exec'],
  ['mock exec true', 'mock exec'],
  ['--timeout 5s mock exec -- true', 'mock exec'],
  ['--timeout=5s --debug mock --format json exec x', 'mock exec'],
  ['-q mock -y exec', 'mock exec'],
  ['--profile mock tags', 'tags'],
  ['tags --unknown list', 'tags list'],
  ['mock requests ls', 'mock requests list'],
  ['tags list -- mock exec', 'tags list'],
  ['--timeout', ''],
])('%s calls %s', async (line, path) => {
  expect((await read(line.split(' '))).path.join(' ')).toBe(path);
});

const url = 'postgres://ci@db/orgchat';

test.each([
  [['tags', 'create'], undefined],
  [['--journal', url, 'tags', 'create'], url],
  [['tags', 'create', '--journal=redis://r/0?a=b'], 'redis://r/0?a=b'],
  [['tags', 'create', '--name', '--journal=x', '--journal', url], url],
  [['mock', 'exec', '--', 'run', '--journal', url], undefined],
  [['mock', 'exec', '--log', 'x.har', 'run', '--journal', url], undefined],
  [['ops', '--journal'], undefined],
])('the journal in the arguments %j is %s', async (args, expected) => {
  expect((await read(args)).options.get('--journal')).toBe(expected);
});

describe('the words of a program', () => {
  test.each([
    ['mock exec --json pytest -q --json', ['pytest', '-q', '--json'], ['--json']],
    ['mock exec -- pytest -q', ['pytest', '-q'], []],
    ['mock exec npm test -- --debug', ['npm', 'test', '--', '--debug'], []],
    ['mock drill -- pytest -q', ['pytest', '-q'], []],
  ])('in %s are %j', async (line, rest, options) => {
    const found = await read(line.split(' '));
    expect([found.rest, [...found.options.keys()]]).toEqual([rest, options]);
  });
});
