import type { Command, Option } from 'commander';
import { configurationResources } from '../contract.ts';

/** A word that may come next, and what it is. */
export type Candidate = readonly [word: string, description: string];

/** Reads the definition of a command. */
export type LoadCommand = (command: Command) => Promise<void>;

const visible = <T extends { hidden?: boolean }>(all: readonly T[]): T[] =>
  all.filter(({ hidden }) => !hidden);

/** The options of a command and of those above it. */
function optionsOf(command: Command): Option[] {
  const own = visible(command.options);
  return command.parent === null ? own : [...own, ...optionsOf(command.parent)];
}

const find = (command: Command, flag: string): Option | undefined =>
  optionsOf(command).find(({ short, long }) => flag === short || flag === long);

const takesValue = (option: Option | undefined): boolean =>
  option?.required === true || option?.optional === true;

/** Words of the contract that an option takes several of, with commas between them. */
const listed: Readonly<Record<string, readonly string[]>> = { '--resources': configurationResources };

/** What an option takes; of a list the part that is typed, behind those that are there already. */
function choicesOf(option: Option | undefined, typed: string): Candidate[] {
  const description = option?.description ?? '';
  const words = listed[option?.long ?? ''];
  if (words === undefined) return (option?.argChoices ?? []).map((choice) => [choice, description]);
  const before = typed.split(',').slice(0, -1);
  return words
    .filter((word) => !before.includes(word))
    .map((word) => [[...before, word].join(','), description]);
}

/** What may stand where the last of `words` is being typed; nothing where that is a file or a name. */
export async function candidates(
  root: Command,
  load: LoadCommand,
  words: readonly string[],
): Promise<Candidate[]> {
  const typed = words.at(-1) ?? '';
  let command = root;
  let operands = 0;
  let pending: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (word === '--') return [];
    if (pending !== undefined) pending = undefined;
    else if (word.startsWith('-')) {
      const option = word.includes('=') ? undefined : find(command, word);
      pending = takesValue(option) ? option : undefined;
    } else {
      const next: Command | undefined = command.commands.find(
        (child) => child.name() === word || child.aliases().includes(word),
      );
      if (next === undefined) operands++;
      else {
        await load(next);
        command = next;
      }
    }
  }
  if (pending !== undefined) return choicesOf(pending, typed);
  const [flag = '', value] = typed.split('=', 2);
  if (flag.startsWith('--') && value !== undefined) {
    return choicesOf(find(command, flag), value).map(([choice, what]) => [`${flag}=${choice}`, what]);
  }
  if (typed.startsWith('-')) {
    return optionsOf(command).flatMap(({ long, description }): Candidate[] =>
      long ? [[long, description]] : [],
    );
  }
  const argument = command.registeredArguments[operands];
  return [
    ...visible(command.commands as (Command & { hidden?: boolean })[])
      .filter((child) => child.name() !== 'complete')
      .map((child): Candidate => [child.name(), child.description()]),
    ...(argument?.argChoices ?? []).map((choice): Candidate => [choice, argument?.description ?? '']),
  ];
}
