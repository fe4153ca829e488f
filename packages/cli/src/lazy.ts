import type { Command } from 'commander';

interface CommandModule {
  configure(command: Command): void;
}
export type Load = () => Promise<CommandModule>;

const loads = new WeakMap<Command, Load>();
const hooked = new WeakSet<Command>();

/** A command of which only name and summary are known until it is called, completed or asked about. */
export function lazily(parent: Command, name: string, summary: string, load: Load): Command {
  const command = parent.command(name, { hidden: summary === '' }).description(summary);
  loads.set(command, load);
  if (!hooked.has(parent)) {
    hooked.add(parent);
    parent.hook('preSubcommand', (_parent, child) => loadCommand(child));
  }
  return command;
}

/** Reads a command's own definition, once. */
export async function loadCommand(command: Command): Promise<void> {
  const load = loads.get(command);
  loads.delete(command);
  if (load !== undefined) (await load()).configure(command);
}
