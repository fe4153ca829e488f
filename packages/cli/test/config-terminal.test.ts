import { expect, test } from 'vitest';
import { freshTag, greenVip, useConfigFile } from '../test-support/config-harness.ts';
import { typing } from '../test-support/terminal.ts';

const file = useConfigFile();
const { cli } = file;
const apply = (answer: string, before = '') =>
  typing(
    cli,
    `${before}${process.execPath} ${cli.command} config apply orgchat.yaml --pacing off; echo "exit $?"`,
    [['[y/N]', answer]],
  );

test('a plan is shown, and nothing is applied after the answer no', async () => {
  file.edit(freshTag, greenVip);
  const shown = await apply('n');
  expect(shown).toMatch(
    /\+\S* Fresh[\s\S]*color: "pink" → "green"[\s\S]*1 to create, 1 to update[\s\S]*Apply this plan\?/,
  );
  expect(shown).toContain('exit 8');
  expect((await file.run(['diff', 'orgchat.yaml'])).json.changes).toHaveLength(2);
});

test('Ctrl-C at the prompt interrupts, Escape declines', async () => {
  file.edit(freshTag);
  const interrupted = await apply('\x03');
  expect(interrupted).toContain('Interrupted.');
  expect(interrupted).toContain('exit 130');
  expect(await apply('\x1b')).toContain('exit 8');
  expect((await file.run(['diff', 'orgchat.yaml'])).json.changes).toHaveLength(1);
});

test('a plan is applied after confirmation, and the prompt is one line on a terminal without columns', async () => {
  await file.rival('tags', 'update', 'Newsletter', '--color', 'orange');
  file.edit(freshTag);
  const shown = await apply('y', 'stty cols 0; ');
  expect(shown).toContain('Apply this plan? This will revert changes made in the organization to 1 tag.');
  expect(shown).toContain('2 of 2 steps applied; 15 unchanged.');
  expect(shown).toContain('exit 0');
});
