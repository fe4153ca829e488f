import { CommanderError } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { Failure, usage } from './failure.ts';

/** Options by which a key would be given in the arguments, had this command any. */
const keyOption = /^-{1,2}(?:api-?)?(?:key|token|secret|bearer|password|authorization)\b/i;

const keyHint =
  'Set ORGCHAT_API_KEY or ORGCHAT_API_KEY_FILE, or keep it in a profile: orgchat auth login --with-token < key.txt';

export function keyInArguments(): Failure {
  return usage(
    'A key is not taken from the command line: every user of this machine can read it in the process list, and the shell keeps it in its history.',
    keyHint,
    'KEY_IN_ARGUMENTS',
  );
}

/** Whatever was thrown, as a failure with a code, an exit code and a hint. */
export async function toFailure(error: unknown): Promise<Failure> {
  if (error instanceof Failure) return error;
  if (error instanceof CommanderError) return fromCommander(error);
  if (!(error instanceof Error)) return internal(error);
  try {
    const { fromSdk } = await import('./sdk-failures.ts');
    return fromSdk(error) ?? internal(error);
  } catch {
    return internal(error);
  }
}

function fromCommander(error: CommanderError): Failure {
  const message = error.message.replace(/^error: /, '');
  const option = /unknown option '([^']*)'/.exec(message)?.[1];
  // The message repeats what was typed, and with it the key.
  if (option !== undefined && keyOption.test(option)) return keyInArguments();
  if (error.code === 'commander.help') {
    return usage('The command is not complete.', 'Add --help to see which commands it has.');
  }
  const [first = message, ...rest] = message.split('\n');
  const suggestion = rest
    .join(' ')
    .trim()
    .replace(/^\(|\)$/g, '');
  const sentence = first.charAt(0).toUpperCase() + first.slice(1);
  return usage(
    sentence.endsWith('.') ? sentence : `${sentence}.`,
    suggestion === '' ? 'Add --help to the command to see what it takes.' : suggestion,
  );
}

function internal(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return new Failure(`Something went wrong inside orgchat: ${message}`, {
    code: 'INTERNAL',
    exit: exitCodes.failed,
    hint: 'Run it again with --debug and report what it prints.',
    cause: error,
  });
}
