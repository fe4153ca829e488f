import type { CommandLine } from './command-line.ts';

/** Commands whose stdout is raw payload, always or with these arguments. */
const rawCommands: Readonly<
  Record<string, (options: CommandLine['options'], next: string | undefined) => boolean>
> = {
  'mock exec': () => true,
  'mock start': () => true,
  'mock fixture': () => true,
  'mock seed': (options) => !options.has('--output'),
  'mock state': (_options, next) => next !== 'load',
  'studio document': (options) => options.has('--body'),
  'config export': (options) => (options.get('--output') ?? '-') === '-',
  'config plan': (options) => options.get('--output') === '-' || options.has('--markdown'),
};

/**
 * Whether stdout is raw output: a document, or the output of another program. An error then leaves stdout empty, so
 * that a redirect creates no file with an error in it, unless JSON is requested.
 */
export function writesRawOutput({ path, options }: CommandLine): boolean {
  const [group = '', name = '', next] = path;
  if (group === 'completion' || group === 'schema') return true;
  const called = `${group} ${name}`;
  return Object.hasOwn(rawCommands, called) && rawCommands[called]?.(options, next) === true;
}
