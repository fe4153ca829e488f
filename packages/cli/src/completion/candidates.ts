import { configurationResources } from '@orgchat/spec/resources/names';
import type { Argument, Command, Option } from 'commander';
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

const find = (command: Command, flag: string): Option | undefined =>
  getOptions(command).find(({ short, long }) => flag === short || flag === long);

const takesValue = (option: Option | undefined): boolean =>
  option?.required === true || option?.optional === true;

/** Values that are not in the definitions of the commands. Each is empty if it cannot be read now. */
export interface CompletionSource {
  readonly helpTopics: readonly string[];
  profiles(): Promise<readonly string[]>;
  /** Names of records; `given` are the options that were typed, such as `--profile`. */
  names(what: NameableResource, given: ReadonlyMap<string, string>): Promise<readonly string[]>;
}

/** What the shell completes if there are no candidates. */
export type Fallback = 'files' | 'command';

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

/** The position in a command line before the word that is being typed. */
interface Position {
  readonly command: Command;
  readonly path: readonly string[];
  /** The operands before. */
  readonly operands: readonly string[];
  /** The option whose value is being typed. */
  readonly pending: Option | undefined;
  readonly given: ReadonlyMap<string, string>;
  /** Whether the words are those of another command, after `--`. */
  readonly isForeign: boolean;
}

async function findPosition(root: Command, load: LoadCommand, words: readonly string[]): Promise<Position> {
  const path: string[] = [];
  const given = new Map<string, string>();
  let command = root;
  const operands: string[] = [];
  let pending: Option | undefined;
  for (const word of words) {
    if (word === '--') return { command, path, operands, pending: undefined, given, isForeign: true };
    if (pending !== undefined) {
      given.set(pending.long ?? '', word);
      pending = undefined;
    } else if (word.startsWith('-')) {
      const [flag = '', ...value] = word.split('=');
      const option = find(command, flag);
      if (word.includes('=')) given.set(option?.long ?? flag, value.join('='));
      else if (takesValue(option)) pending = option;
    } else {
      const next: Command | undefined = command.commands.find(
        (child) => child.name() === word || child.aliases().includes(word),
      );
      if (next === undefined || operands.length > 0) operands.push(word);
      else {
        await load(next);
        command = next;
        path.push(next.name());
      }
    }
  }
  return { command, path, operands, pending, given, isForeign: false };
}

/** Completes the last word of a list with commas, and keeps the words before it. */
function completeList(words: readonly string[], typed: string, description: string): Candidate[] {
  const before = typed.split(',').slice(0, -1);
  return words
    .filter((word) => !before.includes(word))
    .map((word) => [[...before, word].join(','), description]);
}

const asCandidates = (words: readonly string[], description: string): Candidate[] =>
  words.map((word) => [word, description]);

const getFallback = (target: Argument | Option): Fallback | undefined =>
  getValueKind(target) === 'file' ? 'files' : undefined;

/** Completes the value of an option. */
async function completeValue(
  option: Option,
  typed: string,
  position: Position,
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
    const names = await source.names(what, position.given);
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
  position: Position,
  root: Command,
  load: LoadCommand,
  source: CompletionSource,
): Promise<Completion> {
  const { command, path, operands, given } = position;
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
        : await source.names(what, given);
  // The command would take such a name for an option.
  const names = all.filter((name) => !name.startsWith('-'));
  return {
    candidates: [...found, ...asCandidates([...(argument.argChoices ?? []), ...names], description)],
    fallback: getFallback(argument),
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
  const position = await findPosition(root, load, words.slice(0, -1));
  if (position.isForeign) return { ...none, fallback: 'command' };
  if (position.pending !== undefined) return completeValue(position.pending, typed, position, source);
  const [flag = '', ...value] = typed.split('=');
  if (flag.startsWith('--') && typed.includes('=')) {
    const option = find(position.command, flag);
    if (option === undefined) return none;
    const { candidates, fallback } = await completeValue(option, value.join('='), position, source);
    return { candidates: candidates.map(([choice, what]) => [`${flag}=${choice}`, what]), fallback };
  }
  if (typed.startsWith('-')) {
    const options = getOptions(position.command).flatMap(({ long, description }): Candidate[] =>
      long ? [[long, description]] : [],
    );
    return { ...none, candidates: options };
  }
  return completeOperand(position, root, load, source);
}
