import { expect, test } from 'vitest';
import { loadCommand } from '../define-command.ts';
import { createProgram } from '../program.ts';
import { loadCommandLine } from './command-line.ts';
import { writesRawOutput } from './raw-output.ts';

test.each([
  ['studio document P D --body', true],
  ['--quiet studio document P D --body', true],
  ['studio document P D', false],
  ['config export', true],
  ['config export -o -', true],
  ['config export --output=-', true],
  ['config export -o orgchat.yaml', false],
  ['config export -oorgchat.yaml', false],
  ['config export --output=orgchat.yaml', false],
  ['config plan orgchat.yaml -o -', true],
  ['config plan orgchat.yaml -o plan.json', false],
  ['config plan orgchat.yaml', false],
  ['config export --schema --output.json', true],
  ['studio document P --base-url=--body', false],
  ['mock seed', true],
  ['mock seed -o seed.json', false],
  ['mock state', true],
  ['mock state save', true],
  ['mock state load state.json', false],
  ['mock exec -- studio document', true],
  ['mock exec studio document', true],
  ['completion', true],
  ['schema tags', true],
  ['tags list', false],
  ['constructor', false],
])('%s prints raw payload: %s', async (line, isRaw) => {
  const read = await loadCommandLine(createProgram({ exitCode: 0 }), line.split(' '), loadCommand);
  expect(writesRawOutput(read)).toBe(isRaw);
});
