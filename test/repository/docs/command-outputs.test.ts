import { expect, it } from 'vitest';
import { commandOutputs, writtenFiles } from '../../../docs/site/reference/command-outputs.ts';
import { freshTag, greenVip, useConfigFile } from '../../../packages/cli/test-support/config-harness.ts';
import { toPattern } from '../../test-support/cookbook.ts';

/* What the pages of commands show of an output is what the command prints in a terminal. */

const config = useConfigFile({ inProcess: true });

it('the page of config shows how the file begins that it writes', () => {
  const { beginning = 'nothing' } = writtenFiles['config export'] ?? {};
  expect(
    config
      .read()
      .replace(/^#.*\n/gm, '')
      .trimStart()
      .startsWith(beginning),
  ).toBe(true);
});

it('the pages of commands show what the commands print', async () => {
  config.edit(freshTag, greenVip);
  const edited = config.read();
  for (const [words, { line, output }] of Object.entries(commandOutputs)) {
    expect(line.startsWith(`orgchat ${words}`)).toBe(true);
    const [, ...args] = line.split(' ');
    // The file exists already, with edits.
    const isExport = words === 'config export';
    const given = isExport ? args.map((arg) => arg.replace('orgchat.yaml', 'new.yaml')) : args;
    const { code, stdout, stderr } = await config.cli.run([...given, '--format', 'table', '--pacing', 'off']);
    expect([words, code]).toEqual([words, 0]);
    const printed = isExport ? stdout.replace('new.yaml', 'orgchat.yaml') : stderr + stdout;
    expect(printed.trim()).toMatch(new RegExp(`^${toPattern(output).source}$`));
    if (words === 'config diff') expect(config.read()).toBe(edited);
  }
});
