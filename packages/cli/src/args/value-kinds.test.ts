import { configurationResources, labelFields } from '@orgchat/spec';
import { Argument, type Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { loadCommand } from '../define-command.ts';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { createProgram } from '../program.ts';
import { CliCommand, CommandLineError } from './cli-command.ts';
import { getValueKind, type ValueKind } from './value-kinds.ts';

interface Target {
  readonly path: readonly string[];
  /** As in `tags create --color` or `tags get <id>`. */
  readonly name: string;
  readonly kind: ValueKind;
  /** The words of a command line in which it has this value. */
  readonly words: (value: string) => readonly string[];
}

/** Every flag and argument of a command and of those below it. */
async function listTargets(command: Command, path: readonly string[] = []): Promise<Target[]> {
  await loadCommand(command);
  const options = command.options.map((option): Target => {
    const flag = option.long ?? option.short ?? '';
    const words = (value: string) => [...path, flag, value];
    return { path, name: [...path, flag].join(' '), kind: getValueKind(option), words };
  });
  const operands = command.registeredArguments.map((argument, index): Target => {
    const others = command.registeredArguments.map(() => 'x');
    const words = (value: string) => [...path, ...others.with(index, value)];
    return { path, name: [...path, `<${argument.name()}>`].join(' '), kind: getValueKind(argument), words };
  });
  const below: Target[] = [];
  for (const child of command.commands) below.push(...(await listTargets(child, [...path, child.name()])));
  return [...options, ...operands, ...below];
}

const targets = await listTargets(createProgram({ exitCode: 0 }));
const ofKind = (...kinds: ValueKind[]): Target[] => targets.filter(({ kind }) => kinds.includes(kind));

/** What a command line is refused with. Its action never runs. */
async function refusal(words: readonly string[]): Promise<unknown> {
  const program = createProgram({ exitCode: 0 });
  program.hook('preAction', () => {
    throw new Error('The command line was accepted.');
  });
  return program.parseAsync(words, { from: 'user' }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

const isRefused = (error: unknown): boolean =>
  (error instanceof CommandLineError && error.problem.code === 'commander.invalidArgument') ||
  (error instanceof CliError && error.exit === exitCodes.usage);

/** The value that a flag of a kind gets from these words. */
function parse(flags: string, words: readonly string[]): unknown {
  const command = new CliCommand('test').addOption(new Option(flags));
  return command.parse(words, { from: 'user' }).opts().value;
}

test('the whole tree is seen', () => {
  const names = targets.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(300);
  for (const name of ['--profile', 'tags create --color', 'friends tag --set', 'keywords add <keyword>'])
    expect(names).toContain(name);
});

test('a flag or argument without a kind is a mistake of this program', () => {
  const message = 'The placeholder <thing> has no kind in value-kinds.ts.';
  expect(() => new CliCommand('test').option('--new <thing>')).toThrow(message);
  expect(() => new CliCommand('test').addArgument(new Argument('[thing...]'))).toThrow(message);
});

const refusing: readonly ValueKind[] = [
  'name',
  'command',
  'names',
  'words',
  'file',
  'url',
  'json',
  'setting',
  'choice',
  'number',
  'time',
];

test.each(ofKind(...refusing))('$name takes a $kind, and no empty value', async ({ words }) => {
  for (const value of ['', ' ', '\t']) expect(isRefused(await refusal(words(value)))).toBe(true);
});

test.each(ofKind('names', 'words'))('$name takes $kind, none of them empty', async ({ words }) => {
  for (const value of [',', 'A,,B', ',A', 'A,', 'A, ,B'])
    expect(isRefused(await refusal(words(value)))).toBe(true);
});

test.each(ofKind('names').map(({ path, words }) => ({ path, words, flag: words('')[path.length] })))(
  '$flag of $path is repeatable, and keeps names with commas',
  async ({ path, flag }) => {
    const program = createProgram({ exitCode: 0 });
    let values: unknown[] = [];
    program.hook('preAction', (_program, command) => {
      values = Object.values(command.opts());
      throw new Error('It is enough to parse.');
    });
    const operands = ['get', 'update', 'tag'].includes(path.at(-1) ?? '') ? ['x'] : [];
    const words = [...path, ...operands, String(flag), 'A,B', String(flag), 'C'];
    await program.parseAsync(words, { from: 'user' }).catch(() => {});
    expect(values).toContainEqual(['A,B', 'C']);
  },
);

test.each(ofKind('text'))('$name takes a $kind, which may be empty', async ({ words }) => {
  for (const value of ['', ' ']) expect(isRefused(await refusal(words(value)))).toBe(false);
});

test('arguments of another command may be empty', async () => {
  for (const path of [
    ['mock', 'exec'],
    ['mock', 'drill'],
  ])
    expect(isRefused(await refusal([...path, '--', 'program', '', ' ']))).toBe(false);
});

test('only these flags and arguments may be empty', () => {
  const flags = ofKind('text').map(({ path, name }) => {
    const [last] = name.split(' ').slice(path.length);
    return `${path.join(' ').replace(/ (?:create|update)$/, '')} ${last}`;
  });
  const searches = [...configurationResources, 'friends'].map((resource) => `${resource} list --search`);
  expect([...new Set(flags)].sort()).toEqual(
    [
      ...searches,
      'studio documents --search',
      'studio projects --search',
      // The contract says which texts of a record may be empty. No name may.
      ...configurationResources.map((resource) => `${resource} --${labelFields[resource]}`),
      'auto-replies --response-text',
      'broadcasts --message',
      'forms --description',
      'forms --thanks-text',
      'forms --title',
      'friends --notes',
      'links --url',
      'rich-menus --chat-bar-text',
      'rich-menus --template',
      'templates --text',
      // What was typed so far.
      'complete <typed>',
    ].sort(),
  );
});

describe('a value of kind', () => {
  test.each([
    ['name', '--value <name>', ['--value', ' x '], ' x '],
    ['names', '--value <tag,…>', ['--value', 'a, b'], ['a, b']],
    ['file', '--value <file|->', ['--value', '-'], '-'],
    ['text', '--value <text>', ['--value', ''], ''],
    ['flag', '--value', ['--value'], true],
  ] as const)('%s is kept as it was given', (_kind, flags, words, value) => {
    expect(parse(flags, words)).toEqual(value);
  });

  test('name says how to clear it, if it can be cleared', () => {
    const reason = 'It must not be empty. Pass none to clear it.';
    expect(() => parse('--value <tag|none>', ['--value='])).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ reason }) }),
    );
  });
});
