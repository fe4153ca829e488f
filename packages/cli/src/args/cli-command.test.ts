import type { Command, Option } from 'commander';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadCommand } from '../define-command.ts';
import { createProgram } from '../program.ts';
import { CommandLineError, type CommandLineProblem } from './cli-command.ts';
import { isFlag, loadCommandLine } from './command-line.ts';
import { getValueKind } from './value-kinds.ts';

interface Taker {
  readonly path: readonly string[];
  readonly flag: string;
  readonly option: Option;
}

/** Every option with a value, of a command and of those below it. */
async function listTakers(command: Command, path: readonly string[] = []): Promise<Taker[]> {
  await loadCommand(command);
  const own = command.options.flatMap((option): Taker[] =>
    option.required ? [{ path, flag: option.long ?? '', option }] : [],
  );
  const below = await Promise.all(
    command.commands.map((child) => listTakers(child, [...path, child.name()])),
  );
  return [...own, ...below.flat()];
}

const takers = await listTakers(createProgram({ exitCode: 0 }));
/** Kinds whose values are kept as they were given. */
const isKept = ({ option }: Taker): boolean =>
  ['text', 'name', 'names', 'file'].includes(getValueKind(option));

/** What is wrong with a command line, and the values of the command and of those above it. Its action never runs. */
async function parse(
  words: readonly string[],
): Promise<{ problem: CommandLineProblem | undefined; values: Record<string, unknown>; command: Command }> {
  const program = createProgram({ exitCode: 0 });
  program.hook('preAction', () => {
    throw new Error('It is enough to parse.');
  });
  const { command } = await loadCommandLine(program, words, loadCommand);
  const error: unknown = await program.parseAsync(words, { from: 'user' }).catch((thrown: unknown) => thrown);
  const problem = error instanceof CommandLineError ? error.problem : undefined;
  return { problem, values: command.optsWithGlobals(), command };
}

const dashed = fc
  .tuple(
    fc.constantFrom('-', '--'),
    fc.constantFrom(
      '',
      'y',
      'q',
      'V',
      'o',
      'h',
      'yq',
      'yes',
      'json',
      'name',
      'esterday: called',
      'Visit',
      '1',
    ),
    fc.oneof(fc.constant(''), fc.string()),
  )
  .map((parts) => parts.join(''))
  .filter((word) => word !== '-');

describe('a value that begins with a dash', () => {
  test('is taken exactly, or refused, by every option', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...takers.filter(isKept)),
        dashed,
        fc.boolean(),
        async ({ path, flag, option }, value, isInline) => {
          const words = isInline ? [`${flag}=${value}`] : [flag, value];
          const { problem, values, command } = await parse([...path, ...words]);
          const kept = values[option.attributeName()];
          if (!isInline && isFlag(command, value)) {
            expect(problem).toEqual({ code: 'optionMissingArgument', flag, next: value });
            expect(kept).toBe(option.defaultValue);
          } else if (problem?.code === 'commander.invalidArgument') expect(problem.value).toBe(value);
          else expect(kept).toEqual(option.variadic ? [value] : value);
          // Nothing else was set.
          for (const name of ['yes', 'quiet', 'json', 'debug']) expect(values[name]).toBeUndefined();
        },
      ),
      { numRuns: 400 },
    );
  });

  test('is not refused by options for texts', async () => {
    for (const value of ['-yesterday', '-Visit', '-q-', '-o.json', '--format=json', '--yess']) {
      const { values } = await parse(['tags', 'create', '--name', value]);
      expect(values.name).toBe(value);
    }
  });

  test('is a negative number', async () => {
    expect((await parse(['tags', 'delete', '-5'])).command.args).toEqual(['-5']);
  });
});

test('options without a value are not combined, and may be repeated', async () => {
  expect((await parse(['tags', 'list', '-y', '-y', '--yes', '-q'])).problem).toBeUndefined();
  for (const [word, flag] of Object.entries({ '-yq': '-y', '-Vx': '-V', '--yes=no': '--yes' }))
    expect((await parse(['tags', 'list', word])).problem).toEqual({
      code: 'unexpectedValue',
      flag,
      word,
    });
});

test.each(takers.filter(({ option }) => getValueKind(option) === 'file'))(
  'the value of $flag of $path may stand right behind a short option',
  async ({ path, option }) => {
    if (option.short === undefined || option.short.startsWith('--')) return;
    const { values } = await parse([...path, `${option.short}plan.json`]);
    expect(values[option.attributeName()]).toBe('plan.json');
  },
);

describe('an option with one value', () => {
  const values = [
    'name',
    'x',
    '5',
    '404',
    '5s',
    '2026-05-01',
    'off',
    'a=b',
    'https://x.example',
    'tags',
    'account',
    '{}',
  ];

  test('cannot be given twice, wherever it stands', async () => {
    for (const { path, flag, option } of takers) {
      if (option.variadic) continue;
      const fitting = [...(option.argChoices ?? []), ...values, '00000000-0000-4000-8000-000000000000'];
      const problems = new Set<string | undefined>();
      for (const value of fitting) {
        if (problems.has('repeatedOption')) break;
        problems.add((await parse([...path, flag, value, flag, value])).problem?.code);
      }
      expect(problems, `${path.join(' ')} ${flag}`).toContain('repeatedOption');
    }
    const spread = ['--profile', 'a', 'tags', '--profile', 'b', 'list'];
    expect((await parse(spread)).problem).toEqual({ code: 'repeatedOption', flag: '--profile' });
    const synonyms = ['links', 'create', '--tag', 'VIP', '--tag-id', 'Trial'];
    expect((await parse(synonyms)).problem).toEqual({ code: 'repeatedOption', flag: '--tag-id' });
  });

  test('is any but these', () => {
    const repeated = takers.filter(({ option }) => option.variadic).map(({ path, flag }) => [...path, flag]);
    expect([...new Set(repeated.map((words) => words.join(' ')))].sort()).toMatchInlineSnapshot(`
      [
        "broadcasts create --account-ids",
        "broadcasts create --message",
        "broadcasts create --tag-ids",
        "broadcasts update --account-ids",
        "broadcasts update --message",
        "broadcasts update --tag-ids",
        "config apply --only",
        "config diff --only",
        "config export --only",
        "config plan --only",
        "friends list --tag",
        "friends tag --add",
        "friends tag --remove",
        "friends tag --set",
        "mock drill --fault",
        "mock exec --fault",
      ]
    `);
  });
});
