import type { Command } from 'commander';
import { complete } from '../completion/candidates.ts';
import { action, loadCommand } from '../define-command.ts';
import { escapeLine } from '../output/escape.ts';
import { writeOut } from '../output/streams.ts';
import { helpTopics } from './help.ts';

/**
 * Exit codes for the completion scripts: what the shell has to complete by itself. For a command, stdout has the index of
 * its first word.
 */
const fallbackExitCodes = { files: 10, command: 11 } as const;

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
    if (typeof fallback === 'object') {
      await writeOut(`${fallback.commandAt}\n`);
      context.exitCode = fallbackExitCodes.command;
      return;
    }
    const lines = candidates
      .filter(([word]) => isOneLine(word))
      .map(([word, what]) => `${word}\t${escapeLine(what)}\n`);
    await writeOut(lines.join(''));
    if (fallback === 'files') context.exitCode = fallbackExitCodes.files;
  });
}
