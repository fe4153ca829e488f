import { toShellWord } from './shell-word.ts';

/** Commands that read or write the journal. */
const commands = /\borgchat (?=(?:change|config|keywords|ops|outbox)\b)/g;

/** Adds `--journal` to the commands that a hint names: without it they would use another journal. */
export function repeatJournal(text: string, journal: string | undefined): string {
  if (journal === undefined) return text;
  return text.replaceAll(commands, () => `orgchat --journal ${toShellWord(journal)} `);
}
