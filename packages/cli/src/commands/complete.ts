import type { Command } from 'commander';
import { candidates } from '../completion/candidates.ts';
import { loadCommand } from '../lazy.ts';
import { plainLine } from '../output/plain.ts';
import { writeOut } from '../streams.ts';

/** What the completion scripts ask: `orgchat complete -- WORDS…`, the last of them being typed. */
export function configure(command: Command): void {
  command.argument('[words...]');
  command.action(async () => {
    const root = command.parent ?? command;
    const found = await candidates(root, loadCommand, command.args);
    await writeOut(found.map(([word, what]) => `${plainLine(word)}\t${plainLine(what)}\n`).join(''));
  });
}
