import type { Command } from 'commander';

/** What stands before `--`: behind it are the words of another command. */
export function ownArgs(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

/**
 * The first words that name a command, whatever options of the root, and values of theirs, stand between them. For
 * what has to be known also where the arguments cannot be understood.
 */
export function commandPath(root: Command, args: readonly string[], length: number): readonly string[] {
  const path: string[] = [];
  let isValue = false;
  for (const arg of ownArgs(args)) {
    if (path.length === length) break;
    if (isValue) isValue = false;
    else if (!arg.startsWith('-')) path.push(arg);
    else
      isValue = root.options.some(({ short, long, required }) => required && (arg === short || arg === long));
  }
  return path;
}
