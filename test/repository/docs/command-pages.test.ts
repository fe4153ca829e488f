import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { generateCodePages } from '../../../docs/site/reference/code-pages.ts';
import {
  type Command,
  findWrites,
  guides,
  ownExits,
  ownWrites,
  workflows,
} from '../../../docs/site/reference/command-facts.ts';
import { commandOutputs } from '../../../docs/site/reference/command-outputs.ts';
import { generateCommandPages } from '../../../docs/site/reference/command-pages.ts';
import { getExamples, loadCommand } from '../../../packages/cli/src/define-command.ts';
import { exitCodeMeanings } from '../../../packages/cli/src/errors/exit-codes.ts';
import { createProgram } from '../../../packages/cli/src/program.ts';
import { readPages } from '../../test-support/reference-pages.ts';

/* The pages of the site that are made from the commands. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { read, readSection } = readPages([...generateCodePages(), ...(await generateCommandPages())]);

async function listCommands(command: Command, path: readonly string[] = []): Promise<[string, Command][]> {
  await loadCommand(command);
  const below: [string, Command][] = path.length === 0 ? [] : [[path.join(' '), command]];
  for (const child of command.createHelp().visibleCommands(command)) {
    if (child.name() !== 'help') below.push(...(await listCommands(child, [...path, child.name()])));
  }
  return below;
}

it('show each command with its operands and options, and each of its examples once', async () => {
  const commands = await listCommands(createProgram({ exitCode: 0 }));
  expect(commands.length).toBeGreaterThan(100);
  for (const [words, command] of commands) {
    const [first = '', ...rest] = words.split(' ');
    const page = `/reference/commands/${first}`;
    const section = rest.length === 0 ? read(page) : readSection(page, words.replaceAll(' ', '-'));
    const help = command.createHelp();
    const lines = read(page).split('\n');
    const shown = getExamples(command).map(([line]): [string, number] => [
      line,
      lines.filter((one) => one === line).length,
    ]);
    // That of a group is also shown with its output.
    const outputs = Object.values(commandOutputs).map(({ line }) => line);
    const most = (line: string): number => (outputs.includes(line) ? 2 : 1);
    const isWrong = ([line, times]: [string, number]) => times < 1 || times > most(line);
    expect(shown.filter(isWrong)).toEqual([]);
    const parts = [
      ...command.options.flatMap((option) => (option.hidden ? [] : [option.flags])),
      ...command.registeredArguments.map((argument) => help.argumentTerm(argument)),
    ];
    const lost = parts.filter((part) => !section.replaceAll('\\|', '|').includes(part));
    expect([words, lost]).toEqual([words, []]);
  }
});

it('name commands that exist, where facts are given for them', async () => {
  const words = (await listCommands(createProgram({ exitCode: 0 }))).map(([path]) => path);
  const named = [...Object.keys(ownExits), ...Object.keys(ownWrites), ...Object.keys(guides)];
  expect(named.filter((name) => !words.includes(name))).toEqual([]);
});

const listCodes = (words: string): number[] => {
  const [first = ''] = words.split(' ');
  const section = readSection(`/reference/commands/${first}`, words.replaceAll(' ', '-'));
  return Array.from(section.matchAll(/\(\/reference\/exit-codes#exit-(\d+)\)/g), ([, code]) => Number(code));
};

it('begin a workflow with lines whose output is below, besides an editor', () => {
  const outputs = Object.values(commandOutputs).map(({ line }) => line);
  for (const [name, steps] of Object.entries(workflows)) {
    const lines = steps.map(([, line]) => line).filter((line) => !line.includes('EDITOR'));
    expect(lines.filter((line) => !outputs.includes(line))).toEqual([]);
    for (const line of lines)
      expect(read(`/reference/commands/${name}`).split(`\n${line}\n`)).toHaveLength(3);
  }
});

it('list the exit codes that a script tells apart, without those of any command', () => {
  expect(listCodes('config apply')).toEqual([5, 7, 8]);
  expect(listCodes('config diff')).toEqual([2]);
  expect(read('/reference/exit-codes')).toContain('Any command may exit with [`0`](#exit-0), [`1`](#exit-1)');
  for (const code of [8, 5, 7]) expect(read('/reference/exit-codes')).not.toContain(`[\`${code}\`](`);
});

it('say of each exit code what it means for the command, not what it may mean for any', () => {
  const pages = ['config', 'contract', 'keywords', 'mock', 'ops', 'tags', 'watch'];
  const meanings = pages.flatMap((name) =>
    Array.from(
      read(`/reference/commands/${name}`).matchAll(/\(\/reference\/exit-codes#exit-\d+\): (.+)/g),
      ([, meaning = '']) => meaning,
    ),
  );
  expect(meanings.length).toBeGreaterThan(20);
  const general = exitCodeMeanings.flatMap(([, lines]) => lines);
  expect(meanings.filter((meaning) => general.some((line) => meaning.startsWith(line)))).toEqual([]);
  expect(meanings.filter((meaning) => !/^[A-Z`].*\.$/.test(meaning))).toEqual([]);
  expect(readSection('/reference/commands/config', 'config-export')).toContain(
    '**Exit code** [`5`](/reference/exit-codes#exit-5): The file has edits that the export would overwrite',
  );
});

/** The sources that call a function, and the commands that run them; a command named * is one below each resource. */
const callers: readonly (readonly [call: string, code: number, Readonly<Record<string, string>>])[] = [
  [
    'confirm',
    8,
    {
      'commands/contract/check.ts': 'contract check',
      'commands/contract/clean.ts': 'contract clean',
      'commands/ops/forget.ts': 'ops forget',
      'commands/outbox.ts': 'outbox remove',
      'commands/resources/delete.ts': '* delete',
      'config/apply/confirm-plan.ts': 'config apply',
    },
  ],
  [
    'runLocked',
    5,
    { 'commands/contract/check.ts': 'contract check', 'commands/contract/clean.ts': 'contract clean' },
  ],
  [
    'withImportLock',
    5,
    { 'commands/keywords.ts': 'keywords import', 'keywords/forget-request.ts': 'ops forget' },
  ],
  ['withApplyLock', 5, { 'config/apply.ts': 'config apply' }],
  ['verificationError', 5, { 'commands/mock/requests.ts': 'mock requests verify' }],
  ['printEvents', 5, { 'commands/watch.ts': 'watch *' }],
];

it.each(callers)('list the exit code of each command that calls %s()', async (call, code, sources) => {
  const folder = join(root, 'packages/cli/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) return false;
    const text = readFileSync(join(folder, file), 'utf8');
    return new RegExp(`\\{[^}]*\\b${call}\\b[^}]*\\} (?:from '|= await import\\()`).test(text);
  });
  expect(files.sort()).toEqual(Object.keys(sources).sort());
  const words = (await listCommands(createProgram({ exitCode: 0 }))).map(([path]) => path);
  for (const pattern of Object.values(sources)) {
    const named = words.filter((path) => new RegExp(`^${pattern.replace('*', '[\\w-]+')}$`).test(path));
    expect(named.length).toBeGreaterThan(0);
    for (const path of named) expect([path, listCodes(path)]).toEqual([path, expect.arrayContaining([code])]);
  }
});

/** Commands that only read or print, or that run a mock, by their last word; and one that the API refuses. */
const others = [
  'account automations clicks completion conversations diff doctor document documents fixture get list messages',
  'projects records schema show stats status submissions validate verify',
  'drill exec open start stop wait',
]
  .join(' ')
  .split(' ');

it('say of each command whether it writes, and of each change whether it asks first', async () => {
  const commands = await listCommands(createProgram({ exitCode: 0 }));
  const silent = commands.filter(
    ([words, command]) => command.commands.length === 0 && findWrites(command, words) === '',
  );
  const unknown = silent
    .map(([words]) => words)
    .filter((words) => !others.includes(words.split(' ').at(-1) ?? ''));
  expect(unknown).toEqual(['rich-menus delete']);
  expect(read('/reference/commands/config')).toMatch(
    /config apply`\]\(#config-apply\) .* It asks before it writes, unless .* \| the organization \|/,
  );
  expect(read('/reference/commands/tags')).toMatch(
    /tags delete`\]\(#tags-delete\) .* It asks before it writes\. .* \| the organization \|/,
  );
  expect(readSection('/reference/commands/tags', 'tags-list')).not.toContain('It writes to');
});

it('have the default of an option after what it does', () => {
  const section = readSection('/reference/commands/mock', 'mock-start');
  expect(section).toContain('| `--port <port>` | Port; 0 picks a free port. Default:\u00a0`4010`. |');
  expect(section).toContain(
    '| `--seed <file>` | File with the initial data. Default:\u00a0demo organization. |',
  );
  expect(section).not.toMatch(/\(default/);
});
