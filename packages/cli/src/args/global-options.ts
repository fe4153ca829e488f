import { limits } from '@orgchat/spec/limits';
import { type Command, Option } from 'commander';
import type { CommandLine } from './command-line.ts';
import { appliesFormat, withVariable } from './flag-variables.ts';
import { integer, integerOrOff, positiveDuration, words } from './value-parsers.ts';

export const formats = ['table', 'json', 'ndjson', 'yaml', 'value'] as const;
export type Format = (typeof formats)[number];

/** Options of every command, before or after its name. */
export interface GlobalOptions {
  readonly json?: true;
  readonly format?: Format;
  readonly fields?: readonly string[];
  readonly wide?: true;
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly server?: string;
  readonly journal?: string;
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
    .option('--json', 'same as --format json')
    .addOption(
      new Option(
        '--format <format>',
        withVariable('--format', 'output format (default: table on a terminal, otherwise json)'),
      ).choices(formats),
    )
    .option('--fields <a,b>', 'print only these fields of the record', words('id,name'))
    .option('--wide', 'show all columns of a table without truncation')
    .option('--profile <name>', withVariable('--profile', 'stored profile to use'))
    .option(
      '--base-url <url>',
      withVariable(
        '--base-url',
        'API base URL including the version, such as https://api.example.com/api/v1',
      ),
    )
    .option(
      '--server <file>',
      withVariable('--server', 'YAML or JSON file that describes the server, or none'),
    )
    .option(
      '--journal <url>',
      withVariable(
        '--journal',
        'shared journal: postgres://USER@HOST/DATABASE or redis://HOST:6379; "file" uses the journal of this machine',
      ),
    )
    .addOption(new Option('--language <language>', 'language of API messages').choices(['en', 'ja']))
    .option(
      '--timeout <time>',
      withVariable('--timeout', 'deadline for one call, such as 30s (default 60s)'),
      positiveDuration,
    )
    .option(
      '--retries <n>',
      'maximum number of retries; a request is repeated only if that cannot apply it twice (default 3)',
      integer(0, 20),
    )
    .option(
      '--pacing <n|off>',
      withVariable('--pacing', `requests per minute (default ${limits.requestsPerMinute})`),
      integerOrOff(1),
    )
    .option('-y, --yes', 'answer yes to all prompts')
    .option('-q, --quiet', 'print only results and errors')
    .option('--debug', 'log requests, responses and stacks of errors to stderr, without the key');
}

/** The format that was requested, for errors that come before the arguments are understood. */
export function findRequestedFormat(
  { options }: CommandLine,
  { ORGCHAT_FORMAT }: NodeJS.ProcessEnv,
): Format | undefined {
  const find = (text: string | undefined): Format | undefined => formats.find((known) => known === text);
  const found = find(options.get('--format')) ?? (options.has('--json') ? 'json' : undefined);
  return found ?? (appliesFormat(ORGCHAT_FORMAT, options.has('--fields')) ? find(ORGCHAT_FORMAT) : undefined);
}
