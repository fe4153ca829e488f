import { type Command, Option } from 'commander';
import { ownArgs } from './command-path.ts';
import { integer, integerOrOff, positiveDuration, words } from './parsers.ts';

export const formats = ['table', 'json', 'ndjson', 'yaml'] as const;
export type Format = (typeof formats)[number];

/** What every command takes, before or after its own name. */
export interface GlobalOptions {
  readonly json?: true;
  readonly format?: Format;
  readonly fields?: readonly string[];
  readonly wide?: true;
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly codes?: string;
  readonly language?: 'en' | 'ja';
  readonly timeout?: number;
  readonly retries?: number;
  readonly pacing?: number | false;
  readonly yes?: true;
  readonly quiet?: true;
  readonly debug?: true;
}

export function addGlobalOptions(program: Command): Command {
  return program
    .option('--json', 'the same as --format json')
    .addOption(
      new Option('--format <format>', 'how to print: a table on a terminal, else json').choices(formats),
    )
    .option('--fields <a,b>', 'print these fields only', words)
    .option('--wide', 'show all columns of a table, and cut nothing')
    .option('--profile <name>', 'the stored profile to use (ORGCHAT_PROFILE)')
    .option('--base-url <url>', 'the API, up to and with its version (ORGCHAT_BASE_URL)')
    .option('--codes <file>', 'the error codes of the server, as YAML or JSON (ORGCHAT_CODES)')
    .addOption(
      new Option('--language <language>', "the language of the API's messages").choices(['en', 'ja']),
    )
    .option('--timeout <time>', 'the deadline of one call, such as 30s (default 60s)', positiveDuration)
    .option('--retries <n>', 'how often to try again where that is safe (default 3)', integer(0, 20))
    .option('--pacing <n|off>', 'requests a minute (default 60)', integerOrOff(1))
    .option('-y, --yes', 'answer yes where a question would be asked')
    .option('-q, --quiet', 'print nothing but the result and errors')
    .option('--debug', 'print what is sent and received, without the key, to stderr');
}

/** The format named in the arguments, for errors that come before the arguments are understood. */
export function formatNamedIn(args: readonly string[]): Format | undefined {
  const own = ownArgs(args);
  let found: Format | undefined;
  own.forEach((arg, index) => {
    if (arg === '--json') found ??= 'json';
    const value = arg === '--format' ? own[index + 1] : arg.startsWith('--format=') ? arg.slice(9) : '';
    const format = formats.find((known) => known === value);
    if (format !== undefined) found = format;
  });
  return found;
}
