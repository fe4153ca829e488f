import type { Command } from 'commander';
import { argsBeforeDashes, findCommandPath } from './command-path.ts';

/** The value of `-o FILE`, `-oFILE`, `--output FILE` or `--output=FILE`; undefined if there is none. */
function outputFile(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => /^(?:-o|--output(?:=|$))/.test(arg));
  if (at === -1) return undefined;
  const inline = /^(?:-o|--output=)(.+)$/s.exec(args[at] ?? '')?.[1];
  return inline ?? args[at + 1];
}

/** Commands whose stdout is raw payload, always or with these arguments. */
const rawCommands: Readonly<Record<string, (args: readonly string[], next: string | undefined) => boolean>> =
  {
    'mock exec': () => true,
    'mock start': () => true,
    'mock fixture': () => true,
    'mock seed': (args) => outputFile(args) === undefined,
    'mock state': (_args, next) => next !== 'load',
    'studio document': (args) => args.includes('--body'),
    'config export': (args) => (outputFile(args) ?? '-') === '-',
    'config plan': (args) => outputFile(args) === '-' || args.includes('--markdown'),
  };

/**
 * Whether stdout is raw output: a document, or the output of another program. An error then leaves stdout empty, so
 * that a redirect creates no file with an error in it, unless JSON is requested.
 */
export function writesRawOutput(program: Command, args: readonly string[]): boolean {
  const [group = '', name = '', next] = findCommandPath(program, args, 3);
  if (group === 'completion' || group === 'schema') return true;
  const path = `${group} ${name}`;
  return Object.hasOwn(rawCommands, path) && rawCommands[path]?.(argsBeforeDashes(args), next) === true;
}
