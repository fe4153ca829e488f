import { argsBeforeDashes } from './command-path.ts';
import { toShellWord } from './shell-word.ts';

/** Commands that read or write the journal. */
const commands = /\borgchat (?=(?:change|config|keywords|ops|outbox)\b)/g;

/** Adds `--journal` to the commands that a hint names: without it they would use another journal. */
export function repeatJournal(text: string, journal: string | undefined): string {
  if (journal === undefined) return text;
  return text.replaceAll(commands, () => `orgchat --journal ${toShellWord(journal)} `);
}

/** The journal named in the arguments, for messages about the process and not about a command. */
export function findJournal(args: readonly string[]): string | undefined {
  const own = argsBeforeDashes(args);
  let found: string | undefined;
  own.forEach((arg, index) => {
    if (arg === '--journal') found = own[index + 1];
    else if (arg.startsWith('--journal=')) found = arg.slice('--journal='.length);
  });
  return found;
}
