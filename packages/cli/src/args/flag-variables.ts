import type { Command, Option } from 'commander';
import { usageError } from '../errors/cli-error.ts';
import { CommandLineError } from './cli-command.ts';

/**
 * The global flags that also have a variable, with what it contains. A flag takes precedence. An empty variable counts as
 * not set.
 */
export const flagVariables = [
  ['--format', 'ORGCHAT_FORMAT', 'output format: table, json, ndjson, yaml or value'],
  ['--profile', 'ORGCHAT_PROFILE', 'stored profile, if key and base URL are not set'],
  ['--base-url', 'ORGCHAT_BASE_URL', 'API base URL including the version: https://…/api/v1'],
  ['--server', 'ORGCHAT_SERVER', 'file that describes the server: orgchat help server'],
  [
    '--journal',
    'ORGCHAT_JOURNAL',
    'shared journal: postgres://USER:PASSWORD@HOST/DATABASE or redis://HOST:6379',
  ],
  ['--timeout', 'ORGCHAT_TIMEOUT', 'deadline for one call of the API, such as 30s'],
  ['--pacing', 'ORGCHAT_PACING', 'requests per minute, or off'],
] as const;

type Flag = (typeof flagVariables)[number][0];

/** The text of the help for a flag, with its variable. */
export function withVariable(flag: Flag, text: string): string {
  const variable = flagVariables.find(([one]) => one === flag)?.[1];
  return `${text} (${variable})`;
}

/** Flags whose variable has just the value of the flag. The others are resolved with where they were found. */
const plainFlags: readonly Flag[] = ['--format', '--timeout', '--pacing'];

/** Whether a format of the variable counts: `value` is for the runs that name fields, and the variable is for all runs. */
export const appliesFormat = (format: string | undefined, hasFields: boolean): boolean =>
  format !== 'value' || hasFields;

/** The options of a command, with the values of variables for flags that were not given. */
export function withVariables<Options extends { readonly json?: true; readonly fields?: readonly string[] }>(
  command: Command,
  given: Options,
  env: NodeJS.ProcessEnv,
): Options {
  const options: Record<string, unknown> = { ...given };
  for (const [flag, variable] of flagVariables) {
    const text = env[variable];
    const option = plainFlags.includes(flag) ? findOption(command, flag) : undefined;
    if (option === undefined || !text || options[option.attributeName()] !== undefined) continue;
    // --json is the flag of a format.
    if (flag === '--format' && (given.json || !appliesFormat(text, given.fields !== undefined))) continue;
    options[option.attributeName()] = parseVariable(option, variable, text);
  }
  return options as Options;
}

function findOption(command: Command, flag: Flag): Option | undefined {
  if (command.parent !== null) return findOption(command.parent, flag);
  return command.options.find(({ long }) => long === flag);
}

function parseVariable({ parseArg }: Option, variable: string, text: string): unknown {
  try {
    return parseArg === undefined ? text : parseArg(text, undefined);
  } catch (error) {
    if (!(error instanceof CommandLineError) || error.problem.code !== 'commander.invalidArgument')
      throw error;
    throw usageError(
      `${variable} is not valid: "${text}". ${error.problem.reason}`,
      `Correct or unset ${variable}.`,
    );
  }
}
