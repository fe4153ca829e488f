import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { sourceOptions } from '../../../test/test-support/source-options.ts';
import { writeWrongCalls, wrongCalls } from '../test-support/wrong-calls.ts';

/* What the compiler says about wrong calls: the exact messages, because a reader gets nothing else. */

const file = fileURLToPath(new URL('../src/wrong-calls.virtual.ts', import.meta.url));
const { text, lines } = writeWrongCalls();

/** The first message about each wrong call. */
function compile(): ReadonlyMap<number, string> {
  const host = ts.createCompilerHost(sourceOptions);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.getSourceFile = (path, ...rest) =>
    path === file ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022) : getSourceFile(path, ...rest);
  const program = ts.createProgram([file], sourceOptions, host);
  const compiled = program.getSourceFile(file);
  const messages = new Map<number, string>();
  for (const { start = 0, messageText } of program.getSemanticDiagnostics(compiled)) {
    const line = (compiled?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
    if (!messages.has(line)) messages.set(line, ts.flattenDiagnosticMessageText(messageText, '\n'));
  }
  return messages;
}

const messages = compile();

test.each(wrongCalls.map((call, index) => ({ ...call, line: lines[index] ?? 0 })))(
  '$code',
  ({ line, message }) => {
    const said = messages.get(line)?.replaceAll(/\n +/g, '\n');
    expect(said).toBe(message);
    expect(said?.split('\n').length).toBeLessThanOrEqual(3);
  },
);

test('nothing else in the file is wrong', () => {
  expect([...messages.keys()].filter((line) => !lines.includes(line))).toEqual([]);
});
