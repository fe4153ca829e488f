import { CommanderError } from 'commander';
import { CommandLineError } from '../args/cli-command.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { getReason } from '../errors/get-reason.ts';

/** Names of options and variables that suggest an API key. */
const keyName =
  /(?:^|[-_])(?:(?:api)?key|token|secret|bearer|password|auth|authorization|header|credentials?)(?:[-_]|$)/i;

/** Whether `--name=value`, `-xvalue` or `NAME=value` is a way to give a key. */
function looksLikeKey(word: string): boolean {
  if (!word.startsWith('-') && !word.includes('=')) return false;
  const [name = ''] = word.replace(/^-+/, '').split('=', 1);
  return keyName.test(name) || /^-[kH]/.test(word);
}

/** Masks values in a word, and the whole word if it could be a secret. */
function maskValue(word: string): string {
  if (word === '') return '';
  if (/^-[^-]/.test(word)) return word.slice(0, 2);
  const [name = ''] = word.split('=', 1);
  return /^-{0,2}[a-z][a-z-]*$/i.test(name) ? name : '…';
}

const keyHint =
  'Set ORGCHAT_API_KEY or ORGCHAT_API_KEY_FILE, or save the key: orgchat auth login --with-token < key.txt';

export function keyInArgumentsError(hint = keyHint): CliError {
  return usageError(
    'API keys are not accepted on the command line: other users can see them in the process list and shell history.',
    hint,
    'KEY_IN_ARGUMENTS',
  );
}

/** The hint if the API is not found at the base URL. */
export const checkBaseUrl = 'Check the base URL, including its path: orgchat doctor';

/**
 * Converts what was thrown to an error with a code, an exit code and a hint. `server` is host and port of the API, and of
 * the proxy if there is one.
 */
export async function toCliError(error: unknown, server?: string): Promise<CliError> {
  if (error instanceof CliError) return error;
  if (error instanceof CommandLineError) return fromCommandLine(error);
  if (error instanceof CommanderError) {
    return usageError('Missing subcommand.', 'List the subcommands with --help.');
  }
  if (!(error instanceof Error)) return internalError(error);
  try {
    const { fromSdkError } = await import('./from-sdk-error.ts');
    return fromSdkError(error, server) ?? internalError(error);
  } catch {
    return internalError(error);
  }
}

/** The error of an invalid command line. */
async function fromCommandLine({ problem, command }: CommandLineError): Promise<CliError> {
  const seeHelp = `See the help: ${command} --help`;
  switch (problem.code) {
    case 'commander.unknownOption':
    case 'commander.unknownCommand': {
      const { word, known } = problem;
      // The message repeats what was typed, and with it a key.
      if (looksLikeKey(word)) return keyInArgumentsError();
      const { findOtherCommand, findOtherOption } = await import('../args/other-names.ts');
      const isOption = problem.code === 'commander.unknownOption';
      const advice =
        (isOption ? findOtherOption : findOtherCommand)(command, word, known) ??
        (await suggestSimilar(word, known));
      return usageError(
        `Unknown ${isOption ? 'option' : 'command'} "${maskValue(word)}" for ${command}.`,
        [advice, seeHelp].filter((part) => part !== undefined).join(' '),
      );
    }
    case 'commander.missingArgument':
      return usageError(`Missing argument <${problem.name}> for ${command}.`, seeHelp);
    case 'optionMissingArgument': {
      const { flag, next } = problem;
      return next === undefined || next === '--'
        ? usageError(`Option ${flag} requires a value.`, seeHelp)
        : usageError(
            `Option ${flag} requires a value, but ${next} is an option.`,
            `To pass ${next} as the value: ${flag}=${next}. ${seeHelp}`,
          );
    }
    case 'unexpectedValue':
      if (looksLikeKey(problem.word)) return keyInArgumentsError();
      return usageError(
        `Option ${problem.flag} takes no value.`,
        `Write ${problem.flag} as a word of its own. ${seeHelp}`,
      );
    case 'repeatedOption':
      return usageError(`Option ${problem.flag} takes one value, but it was given twice.`, seeHelp);
    case 'commander.excessArguments':
      return usageError(
        `Too many arguments for ${command}: expected ${problem.expected}, got ${problem.received}.`,
        seeHelp,
      );
    case 'commander.invalidArgument': {
      const { name, value, reason, known } = problem;
      const advice = await suggestSimilar(value, known);
      return usageError(
        `Invalid value "${value}" for ${name}. ${reason}`,
        advice === undefined ? seeHelp : `${advice} ${seeHelp}`,
      );
    }
  }
}

async function suggestSimilar(word: string, known: readonly string[]): Promise<string | undefined> {
  const { similarWord } = await import('@orgchat/spec/similar-word');
  const similar = similarWord(word, known);
  return similar === undefined ? undefined : `Did you mean ${similar}?`;
}

function internalError(error: unknown): CliError {
  return new CliError(`Internal error: ${getReason(error)}`, {
    code: 'INTERNAL',
    exit: exitCodes.failed,
    hint: 'Run the command with --debug and report the output.',
    cause: error,
  });
}
