import type { Command } from 'commander';

/** The arguments before `--`. After it come the words of another command. */
export function argsBeforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

/**
 * Finds the first words that name a command, past options of the root and their values. It also works if the
 * arguments are invalid.
 */
export function findCommandPath(root: Command, args: readonly string[], length: number): readonly string[] {
  const path: string[] = [];
  let isValue = false;
  for (const arg of argsBeforeDashes(args)) {
    if (path.length === length) break;
    if (isValue) isValue = false;
    else if (!arg.startsWith('-')) path.push(arg);
    else
      isValue = root.options.some(({ short, long, required }) => required && (arg === short || arg === long));
  }
  return path;
}
