import { configurationResources } from '@orgchat/spec/resources/names';
import type { Argument, Command, Option } from 'commander';
import { type CommandLine, findOption, isFlag, loadCommandLine } from '../args/command-line.ts';
import { getPlaceholder, getValueKind } from '../args/value-kinds.ts';
import { effectNames, faultFieldNames } from '../mock/fault-spec.ts';
import type { NameableResource } from './record-names.ts';

/** A possible next word, with its description. */
export type Candidate = readonly [word: string, description: string];

/** Reads the definition of a command. */
export type LoadCommand = (command: Command) => Promise<void>;

/** The options of a command and of those above it. */
function getOptions(command: Command): Option[] {
  const own = command.options.filter(({ hidden }) => !hidden);
  return command.parent === null ? own : [...own, ...getOptions(command.parent)];
}

/** Values that are not in the definitions of the commands. Each is empty if it cannot be read now. */
export interface CompletionSource {
  readonly helpTopics: readonly string[];
  profiles(): Promise<readonly string[]>;
  /** Names of records; `given` are the options that were typed, such as `--profile`. */
  names(what: NameableResource, given: ReadonlyMap<string, string>): Promise<readonly string[]>;
}

/** What the shell completes if there are no candidates: files, or a command that begins with this word. */
export type Fallback = 'files' | { readonly commandAt: number };

export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly fallback: Fallback | undefined;
}

const none: Completion = { candidates: [], fallback: undefined };

/** Placeholders for records in the definitions of options and arguments. */
const placeholders: Readonly<Record<string, NameableResource>> = {
  account: 'accounts',
  tag: 'tags',
  'tag,…': 'tags',
  'account,…': 'accounts',
  scenario: 'scenarios',
  menu: 'rich-menus',
  project: 'projects',
};

/** Commands whose argument `<id>` is the id or name of a record. */
const findNamedResource = (path: readonly string[]): NameableResource | undefined =>
  configurationResources.find((resource) => resource === path[0]);

/** Completes the last word of a list with commas, and keeps the words before it. */
function completeList(words: readonly string[], typed: string, description: string): Candidate[] {
  const before = typed.split(',').slice(0, -1);
  return words
    .filter((word) => !before.includes(word))
    .map((word) => [[...before, word].join(','), description]);
}

const asCandidates = (words: readonly string[], description: string): Candidate[] =>
  words.map((word) => [word, description]);

const getFallback = (target: Argument | Option, at?: number): Fallback | undefined => {
  if (getValueKind(target) === 'file') return 'files';
  return getPlaceholder(target) === 'command' && at !== undefined ? { commandAt: at } : undefined;
};

/** Completes the value of an option. */
async function completeValue(
  option: Option,
  typed: string,
  position: CommandLine,
  source: CompletionSource,
): Promise<Completion> {
  const { description, long } = option;
  const placeholder = getPlaceholder(option) ?? '';
  const of = (found: Candidate[]): Completion => ({ ...none, candidates: found });
  if (option.argChoices !== undefined) return of(asCandidates(option.argChoices, description));
  if (long === '--resources') return of(completeList(configurationResources, typed, description));
  if (long === '--profile') return of(asCandidates(await source.profiles(), description));
  if (long === '--fault') return of(asCandidates(effectNames, description));
  if (long === '--fields') {
    const { findPrintedFields, listFieldNames } = await import('../output/printed-fields.ts');
    const printed = await findPrintedFields(position.path);
    return of(completeList(printed ? listFieldNames(printed) : [], typed, description));
  }
  const what = placeholders[placeholder];
  if (what !== undefined) {
    const names = await source.names(what, position.options);
    return of(
      getValueKind(option) === 'names'
        ? completeList(names, typed, description)
        : asCandidates(names, description),
    );
  }
  return { ...none, fallback: getFallback(option) };
}

const subcommands = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    // Help adds its own command to each group.
    .filter((child) => command.commands.includes(child))
    .map((child): Candidate => [child.name(), child.description()]);

/** Completes the next argument or the name of a subcommand. */
async function completeOperand(
  position: CommandLine,
  root: Command,
  load: LoadCommand,
  source: CompletionSource,
  at: number,
): Promise<Completion> {
  const { command, path, operands, options } = position;
  // Without the name of a subcommand, `mock fault` runs `mock fault add`.
  const isFault = ['mock fault', 'mock fault add'].includes(path.join(' '));
  const count = operands.length;
  if (path[0] === 'help')
    return { ...none, candidates: await completeHelpTopic(root, load, operands, source) };
  if (isFault && count > 0) {
    const settings = faultFieldNames.map((name) => `${name}=`);
    return { ...none, candidates: asCandidates(settings, 'fault field') };
  }
  if (isFault)
    return { ...none, candidates: [...subcommands(command), ...asCandidates(effectNames, 'fault effect')] };
  const argument =
    command.registeredArguments[count] ?? command.registeredArguments.findLast((last) => last.variadic);
  const found = count === 0 ? subcommands(command) : [];
  if (argument === undefined) return { ...none, candidates: found };
  const { description } = argument;
  const what = argument.name() === 'id' ? findNamedResource(path) : placeholders[argument.name()];
  const all =
    argument.name() === 'profile'
      ? await source.profiles()
      : what === undefined
        ? []
        : await source.names(what, options);
  // The command would take such a name for an option.
  const names = all.filter((name) => !name.startsWith('-'));
  return {
    candidates: [...found, ...asCandidates([...(argument.argChoices ?? []), ...names], description)],
    fallback: getFallback(argument, at),
  };
}

/** Completes the commands and topics of `help`. */
async function completeHelpTopic(
  root: Command,
  load: LoadCommand,
  path: readonly string[],
  { helpTopics }: CompletionSource,
): Promise<Candidate[]> {
  let command = root;
  for (const name of path) {
    command = command.commands.find((child) => child.name() === name) ?? command;
    await load(command);
  }
  const topics = path.length === 0 ? asCandidates(helpTopics, 'help topic') : [];
  return [...subcommands(command), ...topics];
}

/** Completes the last of `words`. */
export async function complete(
  root: Command,
  load: LoadCommand,
  words: readonly string[],
  source: CompletionSource,
): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const at = words.length - 1;
  const position = await loadCommandLine(root, words.slice(0, -1), load);
  const { command, pending, rest } = position;
  if (rest !== undefined) return { ...none, fallback: { commandAt: at - rest.length } };
  if (pending !== undefined) {
    const { candidates, fallback } = await completeValue(pending, typed, position, source);
    // The command would take such a word for the option that it is.
    return { candidates: candidates.filter(([word]) => !isFlag(command, word)), fallback };
  }
  const [flag = '', ...value] = typed.split('=');
  if (flag.startsWith('--') && typed.includes('=')) {
    const option = findOption(command, flag)?.option;
    if (option === undefined) return none;
    const { candidates, fallback } = await completeValue(option, value.join('='), position, source);
    return { candidates: candidates.map(([choice, what]) => [`${flag}=${choice}`, what]), fallback };
  }
  if (typed.startsWith('-')) {
    const options = getOptions(command).flatMap(({ long, description }): Candidate[] =>
      long ? [[long, description]] : [],
    );
    return { ...none, candidates: options };
  }
  return completeOperand(position, root, load, source, at);
}
