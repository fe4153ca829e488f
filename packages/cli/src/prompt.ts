import type { Key } from 'node:readline';
import { exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';
import { plainLine } from './output/plain.ts';

/** A question needs someone who sees it and can answer. It goes to stderr: stdout is for the result. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Where questions go. A terminal that says it has no columns (some logs of CI) would get one letter a line. */
function questions(): NodeJS.WriteStream {
  if (process.stderr.columns === 0) process.stderr.columns = 80;
  return process.stderr;
}

const declined = (): Failure =>
  new Failure('Declined; nothing was changed.', {
    code: 'DECLINED',
    exit: exitCodes.declined,
    hint: 'Run it again and answer yes, or add --yes.',
  });

/** While it asks, a terminal gives Ctrl-C as a key, which a prompt takes like Escape; here it is the signal again. */
async function listening<T>(question: () => Promise<T>): Promise<T> {
  const press = (_text: string | undefined, { ctrl, name }: Key): void => {
    if (ctrl === true && name === 'c') process.emit('SIGINT', 'SIGINT');
  };
  process.stdin.on('keypress', press);
  try {
    return await question();
  } finally {
    process.stdin.off('keypress', press);
  }
}

/** Asks before something that cannot be taken back. Off a terminal yes is never assumed. */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  requireYes(question, yes);
  const prompts = await import('@clack/prompts');
  const answer = await listening(() =>
    prompts.confirm({ message: plainLine(question), initialValue: false, output: questions() }),
  );
  if (answer !== true) throw declined();
}

/** Ends the command where a question will have to be asked and cannot be. */
export function requireYes(
  question: string,
  yes: boolean | undefined,
  extra?: Record<string, unknown>,
): void {
  if (yes || canAsk()) return;
  throw new Failure(`${question} This needs a yes, and there is no terminal to ask at.`, {
    code: 'CONFIRMATION_NEEDED',
    exit: exitCodes.usage,
    hint: 'Add --yes when that is what you want.',
    extra,
  });
}

/** Asks for a text, or for a secret that is not shown. */
export async function ask(question: string, kind: 'text' | 'secret', initial?: string): Promise<string> {
  if (!canAsk()) {
    throw new Failure(`${question}: there is no terminal to ask at.`, {
      code: 'TERMINAL_NEEDED',
      exit: exitCodes.usage,
      hint: 'Give the key on standard input: orgchat auth login --with-token --base-url URL < key.txt',
    });
  }
  const prompts = await import('@clack/prompts');
  const validate = (value: string | undefined): string | undefined =>
    value?.trim() ? undefined : 'It is needed.';
  const answer = await listening(() =>
    kind === 'secret'
      ? prompts.password({ message: plainLine(question), validate, output: questions() })
      : prompts.text({
          message: plainLine(question),
          validate,
          output: questions(),
          ...(initial !== undefined && { initialValue: initial }),
        }),
  );
  if (typeof answer !== 'string') throw declined();
  return answer.trim();
}
