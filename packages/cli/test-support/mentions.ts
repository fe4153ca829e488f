import type { Command } from 'commander';
import { loadCommand } from '../src/define-command.ts';
import { createProgram } from '../src/program.ts';

/** The whole command tree, with every option. */
async function loadTree(command: Command): Promise<Command> {
  await loadCommand(command);
  for (const child of command.commands) await loadTree(child);
  return command;
}

const root = await loadTree(createProgram({ exitCode: 0 }));

const childOf = (command: Command, name: string): Command | undefined =>
  command.commands.find((child) => child.name() === name || child.aliases().includes(name));

/** The command that the words name, and the remaining words. Options before it and their values are skipped. */
function commandNamed(words: readonly string[]): Command {
  let command = root;
  for (const word of words) command = childOf(command, word) ?? command;
  return command;
}

const has = (command: Command | null, flag: string): boolean =>
  command !== null &&
  (command.options.some(({ short, long }) => flag === short || flag === long) || has(command.parent, flag));

/** Whether a command takes an option; a group takes those of the subcommand that it runs by default. */
const takes = (command: Command, flag: string): boolean =>
  flag === '--help' ||
  has(command, flag) ||
  (command !== root && command.commands.some((child) => has(child, flag)));

const flagsIn = (text: string): string[] => text.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];

/** A command line in a sentence ends with the sentence, a clause, or its quotes. */
const commandLine = /orgchat ((?:(?![;)"`|]|[.,:] |[.,:]$|&&).)+)/gm;

/** What a text says of commands and options that is not so; `args` is the command that says it, if it is known. */
export function wrongMentions(text: string, args?: readonly string[]): string[] {
  const problems: string[] = [];
  const rest = text.replaceAll(commandLine, (_, line: string) => {
    const [words = ''] = line.split(' -- ', 1);
    const [first = ''] = words.split(' ');
    if (/^[a-z][a-z-]*$/.test(first) && childOf(root, first) === undefined)
      problems.push(`"orgchat ${line}": there is no such command`);
    const command = commandNamed(words.split(' '));
    for (const flag of flagsIn(words))
      if (!takes(command, flag)) problems.push(`"orgchat ${line}" takes no ${flag}`);
    return '';
  });
  if (args === undefined) return problems;
  const own = commandNamed(args.slice(0, [...args, '--'].indexOf('--')));
  for (const flag of flagsIn(rest))
    if (!takes(own, flag)) problems.push(`"${text}": there is no ${flag} here`);
  return problems;
}

/** Lines in which a command repeats what was typed, and those of Node itself. */
const isForeign = (line: string): boolean => /^(?:orgchat: Unknown|\(Use `node|\(node:|debug: )/.test(line);

/** What a run of the command said to a person that names a command or an option which it does not have. */
export function wrongHints(args: readonly string[], stderr: string, stdout: string): string[] {
  // What another program says is not ours to check.
  if (args.includes('exec') || args.includes('drill')) return [];
  const said = stderr.split('\n').filter((line) => !isForeign(line));
  const hint = /^ {4}"hint": (".*"),?$/m.exec(stdout)?.[1];
  return [...said, ...(hint === undefined ? [] : [JSON.parse(hint) as string])].flatMap((line) =>
    wrongMentions(line, args),
  );
}
