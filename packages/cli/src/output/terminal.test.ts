import { describe, expect, test } from 'vitest';
import { getColumns, movesCursor, usesColors } from './terminal.ts';

/** Whether stdout is a terminal of a width, for as long as `work` takes. */
function withStdout<T>(isTerminal: boolean, columns: number | undefined, work: () => T): T {
  const before = Object.getOwnPropertyDescriptors(process.stdout);
  Object.defineProperty(process.stdout, 'isTTY', { value: isTerminal, configurable: true });
  Object.defineProperty(process.stdout, 'columns', { value: columns, configurable: true });
  try {
    return work();
  } finally {
    for (const name of ['isTTY', 'columns'] as const) {
      const own = before[name];
      if (own === undefined) Reflect.deleteProperty(process.stdout, name);
      else Object.defineProperty(process.stdout, name, own);
    }
  }
}

describe('colors', () => {
  test.each<[NodeJS.ProcessEnv, onTerminal: boolean, inPipe: boolean]>([
    [{}, true, false],
    [{ NO_COLOR: '1' }, false, false],
    [{ NO_COLOR: '' }, true, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1', CLICOLOR_FORCE: '1' }, false, false],
    [{ FORCE_COLOR: '1' }, true, true],
    [{ FORCE_COLOR: 'true', TERM: 'dumb' }, true, true],
    [{ FORCE_COLOR: '0' }, false, false],
    [{ FORCE_COLOR: '' }, true, false],
    [{ CLICOLOR_FORCE: '1' }, true, true],
    [{ CLICOLOR_FORCE: '0' }, true, false],
    [{ CLICOLOR: '0' }, false, false],
    [{ CLICOLOR: '1' }, true, false],
    [{ TERM: 'dumb' }, false, false],
  ])('with %j: %s on a terminal, %s in a pipe', (env, onTerminal, inPipe) => {
    expect(withStdout(true, 80, () => usesColors('stdout', env))).toBe(onTerminal);
    expect(withStdout(false, undefined, () => usesColors('stdout', env))).toBe(inPipe);
  });
});

test('the cursor of a dumb terminal, or without a terminal, cannot be moved', () => {
  expect(withStdout(true, 80, () => movesCursor('stdout', { TERM: 'xterm' }))).toBe(true);
  expect(withStdout(true, 80, () => movesCursor('stdout', { TERM: 'dumb' }))).toBe(false);
  expect(withStdout(false, undefined, () => movesCursor('stdout', { TERM: 'xterm' }))).toBe(false);
});

test.each<
  [isTerminal: boolean, columns: number | undefined, COLUMNS: string | undefined, number | undefined]
>([
  [true, 100, undefined, 100],
  [true, 100, '40', 100],
  [true, 0, undefined, 80],
  [true, 0, '40', 40],
  [false, undefined, undefined, undefined],
  [false, undefined, '40', 40],
  [false, undefined, 'wide', undefined],
  [false, undefined, '', undefined],
])('on a terminal: %s, of %s columns, with COLUMNS=%s it is %s', (isTerminal, columns, COLUMNS, expected) => {
  expect(withStdout(isTerminal, columns, () => getColumns('stdout', { COLUMNS }))).toBe(expected);
});
