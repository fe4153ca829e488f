import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshTag, greenVip, useConfigFile } from '../../test-support/config-harness.ts';
import { typing } from '../../test-support/terminal.ts';

const file = useConfigFile();
const { cli } = file;
const command = `${process.execPath} ${cli.command} config apply orgchat.yaml --pacing off`;
const apply = (answer: string, before = '') =>
  typing(cli, `${before}${command}; echo "exit $?"`, [['[y/N]', answer]]);
const differences = async () => (await file.run(['diff', 'orgchat.yaml'])).json.changes;

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
  expect(shown).toContain(
    'Apply this plan? This will create 1 tag, and revert changes made in the organization to 1 tag.',
  );
  expect(shown).toContain('2 of 2 steps applied; 15 unchanged.');
  expect(shown).toContain('exit 0');
});

describe('a terminal whose stderr goes elsewhere', () => {
  const shownPlan = /\+\S* Fresh[\s\S]*color: "pink" → "green"[\s\S]*1 to create, 1 to update/;
  const question = 'Apply this plan? This will create 1 tag, and update 1 tag. [y/N]';
  const answers = [
    ['n', 8, 2],
    ['y', 0, 0],
    ['\x03', 130, 2],
  ] as const;

  test.each(answers)('is asked if stderr is a file: %j exits %i', async (answer, exit, left) => {
    file.edit(freshTag, greenVip);
    const line = `${command} --quiet 2>log; echo "exit $?"`;
    const shown = await typing(cli, line, [['[y/N]', answer]]);
    expect(shown).toContain(question);
    expect(shown).toContain(`exit ${exit}`);
    const log = readFileSync(join(cli.folder, 'log'), 'utf8');
    expect(log).toMatch(shownPlan);
    expect(log).not.toContain('Apply this plan?');
    expect(await differences()).toHaveLength(left);
  });

  test.each(answers)('is asked if all output is a pipe: %j exits %i', async (answer, exit, left) => {
    file.edit(freshTag, greenVip);
    const line = `{ ${command}; echo "exit $?"; } 2>&1 | tee log`;
    const shown = await typing(cli, line, [['[y/N]', answer]]);
    expect(shown).toContain(question);
    expect(shown).toContain(`exit ${exit}`);
    expect(shown).toMatch(shownPlan);
    expect(await differences()).toHaveLength(left);
  });

  test('is not asked without a terminal on stdin, or with a session that has none', async () => {
    file.edit(freshTag, greenVip);
    for (const line of [`${command} </dev/null`, `yes | ${command}`, `setsid -w ${command} 2>log`]) {
      const shown = await typing(cli, `${line}; echo "exit $?"`, []);
      expect(shown).not.toContain('[y/N]');
      expect(shown).toContain('exit 3');
    }
    expect(readFileSync(join(cli.folder, 'log'), 'utf8')).toMatch(shownPlan);
    expect(await differences()).toHaveLength(2);
  });
});
