import type { Command } from 'commander';
import { complete, type Fallback } from '../completion/candidates.ts';
import { action, loadCommand } from '../define-command.ts';
import { escapeLine } from '../output/escape.ts';
import { writeOut } from '../output/streams.ts';
import { helpTopics } from './help.ts';

/** Exit codes for the completion scripts: what the shell has to complete by itself. */
const fallbackExitCodes: Readonly<Record<Fallback, number>> = { files: 10, command: 11 };

/** Names that do not fit on one line are not offered. */
const isOneLine = (word: string): boolean => escapeLine(word) === word;

/** Called by the completion scripts: `orgchat complete -- WORDS…`. The last word is incomplete. */
export function configure(command: Command): void {
  command.argument('[typed...]');
  action(command, async (context) => {
    const root = command.parent ?? command;
    const { candidates, fallback } = await complete(root, loadCommand, command.args, {
      helpTopics,
      async profiles() {
        const { readProfiles } = await import('../settings/profiles.ts');
        return Object.keys((await readProfiles()).profiles);
      },
      async names(what, given) {
        const { readNames } = await import('../completion/record-names.ts');
        return readNames(what, given, context.env);
      },
    });
    const lines = candidates
      .filter(([word]) => isOneLine(word))
      .map(([word, what]) => `${word}\t${escapeLine(what)}\n`);
    await writeOut(lines.join(''));
    if (fallback !== undefined) context.exitCode = fallbackExitCodes[fallback];
  });
}
