import { CommanderError } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { Failure, usage } from './failure.ts';

/** Names under which a key would be given in the arguments, had this command any such option. */
const keyName =
  /(?:^|[-_])(?:(?:api)?key|token|secret|bearer|password|auth|authorization|header|credentials?)(?:[-_]|$)/i;

/** Whether `--name=value`, `-xvalue` or `NAME=value` is a way to give a key. */
function givesKey(word: string): boolean {
  if (!word.startsWith('-') && !word.includes('=')) return false;
  const [name = ''] = word.replace(/^-+/, '').split('=', 1);
  return keyName.test(name) || /^-[kH]/.test(word);
}

/** A word as it may be shown: without a value, and not at all where it could be one itself. */
function shownWord(word: string): string {
  if (word === '') return '';
  if (/^-[^-]/.test(word)) return word.slice(0, 2);
  const [name = ''] = word.split('=', 1);
  return /^-{0,2}[a-z][a-z-]*$/i.test(name) ? name : '…';
}

const keyHint =
  'Set ORGCHAT_API_KEY or ORGCHAT_API_KEY_FILE, or keep it in a profile: orgchat auth login --with-token < key.txt';

export function keyInArguments(): Failure {
  return usage(
    'A key is not taken from the command line: every user of this machine can read it in the process list, and the shell keeps it in its history.',
    keyHint,
    'KEY_IN_ARGUMENTS',
  );
}

/** What to do if nothing of the API is found at the address. */
export const checkBaseUrl = 'Check the base URL, with the path to the API in it: orgchat doctor';

/** What a failed command was about, for its message and its hint. */
export interface Situation {
  /** Who was asked: host and port of the API, and of the proxy if there is one. */
  readonly server?: string | undefined;
  /** What to check if something was not found. */
  readonly notFoundHint?: string | undefined;
}

/** Whatever was thrown, as a failure with a code, an exit code and a hint. */
export async function toFailure(error: unknown, situation: Situation = {}): Promise<Failure> {
  if (error instanceof Failure) return error;
  if (error instanceof CommanderError) return fromCommander(error);
  if (!(error instanceof Error)) return internal(error);
  try {
    const { fromSdk } = await import('./connection/sdk-failures.ts');
    return fromSdk(error, situation) ?? internal(error);
  } catch {
    return internal(error);
  }
}

function fromCommander(error: CommanderError): Failure {
  const message = error.message.replace(/^error: /, '');
  const unknown = /^unknown (?:option|command) '(.*)'/.exec(message)?.[1];
  // The message repeats what was typed, and with it a key.
  if (unknown !== undefined && givesKey(unknown)) return keyInArguments();
  if (error.code === 'commander.help') {
    return usage('The command is not complete.', 'Add --help to see which commands it has.');
  }
  const shown =
    unknown === undefined ? message : message.replace(`'${unknown}'`, () => `'${shownWord(unknown)}'`);
  const [first = shown, ...rest] = shown.split('\n');
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
