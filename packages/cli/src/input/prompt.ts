import type { Interface, Key } from 'node:readline';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { signalNames } from '../interrupt.ts';
import { escapeLine } from '../output/escape.ts';
import { openScreen, type Screen } from '../output/streams.ts';

/** Opens the terminal if somebody can answer there, wherever stderr goes. */
const openDialog = (): Screen | undefined => (process.stdin.isTTY === true ? openScreen() : undefined);

/** Whether a person can see a question and answer it. */
function canAsk(): boolean {
  const screen = openDialog();
  screen?.close();
  return screen !== undefined;
}

const declinedError = (): CliError =>
  new CliError('Declined. Nothing was changed.', {
    code: 'DECLINED',
    exit: exitCodes.declined,
    hint: 'Run the command again and answer yes, or pass --yes.',
  });

/** Time in which the Escape key is distinguished from an escape sequence. */
const escapeMs = 50;
/** A process that still runs after this time cannot be suspended: no shell controls it. */
const stopMs = 200;

interface Question<T> {
  /** The printed text, with the space before the answer. */
  readonly text: string;
  /** Whether the line that is typed is shown. */
  readonly isEchoed?: boolean;
  /** Converts a key to an answer. Without it, only lines are answers. */
  readonly fromKey?: (key: Key) => T;
  /** Converts a line to an answer; undefined asks again. */
  readonly fromLine: (line: string) => T | undefined;
}

/**
 * Shows a question and waits for its answer; undefined for Escape, Ctrl-D, a signal and the end of input. If a key is the
 * answer, what was typed before the question is dropped, and any other key or several keys at once decline. Ctrl-Z
 * suspends the command, and `fg` shows the question again: a terminal in raw mode leaves both to the program.
 */
async function readAnswer<T>(
  screen: Screen,
  { text, isEchoed = false, fromKey, fromLine }: Question<T>,
): Promise<T | undefined> {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import('node:readline'),
    import('node:stream'),
  ]);
  const { stdin } = process;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const line: Interface = createInterface({
    input: stdin,
    output: isEchoed ? screen.stream : nowhere,
    prompt: isEchoed ? escapeLine(text) : '',
    terminal: true,
    escapeCodeTimeout: escapeMs,
    historySize: 0,
  });
  let isOver = false;
  let isShown = false;
  const show = (): void => {
    if (isEchoed) line.prompt(true);
    else screen.write(escapeLine(text));
    isShown = true;
  };
  const askNow = (): void => {
    isShown = false;
    if (fromKey === undefined) show();
    else void untilDrained().then(() => isOver || show());
  };
  const stopping = createSuspender(screen, askNow);
  return new Promise((resolve) => {
    let keys: Key[] = [];
    const end = (answer: T | undefined): void => {
      if (isOver) return;
      isOver = true;
      stopping.end();
      stdin.off('keypress', press);
      for (const signal of signalNames) process.off(signal, decline);
      line.close();
      screen.write('\n');
      screen.close();
      resolve(answer);
    };
    const decline = (): void => end(undefined);
    const press = (_text: string | undefined, key: Key): void => {
      if (key.ctrl && key.name === 'c') process.emit('SIGINT', 'SIGINT');
      else if (key.ctrl && key.name === 'z') stopping.stop();
      else if (key.name === 'escape' || (key.ctrl && key.name === 'd')) decline();
      else if (fromKey !== undefined && isShown && keys.push(key) === 1) setImmediate(decide, fromKey);
    };
    const decide = (toAnswer: (key: Key) => T): void => {
      const [key = {}, ...more] = keys;
      keys = [];
      // Several keys at once are pasted: they are meant for somebody else.
      if (more.length > 0 || key.ctrl || key.meta) decline();
      else end(toAnswer(key));
    };
    stdin.on('keypress', press);
    // It stays, because the end of raw mode fails as well.
    if (!stdin.listeners('error').includes(hangUp)) stdin.on('error', hangUp);
    line.on('error', hangUp);
    for (const signal of signalNames) process.on(signal, decline);
    line.on('line', (typed) => {
      if (!isShown) return;
      const answer = fromLine(typed);
      if (answer !== undefined) end(answer);
      else askNow();
    });
    line.on('close', decline);
    // Both are handled as keys; without a listener, the interface would act on them itself.
    line.on('SIGINT', () => {});
    line.on('SIGTSTP', () => {});
    askNow();
  });
}

/** Resolves when what was typed before has arrived: at the latest in the turn after the one that began to read. */
async function untilDrained(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Once the terminal is closed, every use of it fails, maybe before the signal of that arrives. */
const hangUp = (): void => void process.emit('SIGHUP', 'SIGHUP');

/** Stops the whole job, as the terminal would; when it runs again, the question is asked again. */
function createSuspender(screen: Screen, show: () => void): { stop(): void; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  const goOn = (): void => {
    end();
    process.stdin.setRawMode(true);
    show();
  };
  const end = (): void => {
    clearTimeout(timer);
    process.off('SIGCONT', goOn);
  };
  const stop = (): void => {
    if (process.platform === 'win32') return;
    process.stdin.setRawMode(false);
    screen.write('\n');
    process.once('SIGCONT', goOn);
    timer = setTimeout(goOn, stopMs);
    process.kill(0, 'SIGTSTP');
  };
  return { stop, end };
}

/** Asks for confirmation. Without a terminal it throws: yes is never assumed. `extra` is for the error document. */
export async function confirm(
  question: string,
  yes: boolean | undefined,
  extra?: Record<string, unknown>,
): Promise<void> {
  if (yes) return;
  const screen = openDialog();
  if (screen === undefined) throw confirmationNeededError(question, extra);
  const isAgreed = await readAnswer<boolean>(screen, {
    text: `${question} [y/N] `,
    fromKey: ({ name }) => name === 'y',
    fromLine: () => false,
  });
  if (isAgreed !== true) throw declinedError();
}

/** Throws if a confirmation is required and there is no terminal. */
export function requireYes(question: string, yes: boolean | undefined): void {
  if (!yes && !canAsk()) throw confirmationNeededError(question);
}

/** Throws unless --yes was passed, for a command that reads its data from standard input: answers are never read there. */
export function requireYesForInput(question: string, yes: boolean | undefined): void {
  if (!yes) throw confirmationNeededError(question, undefined, 'standard input is read as data');
}

const confirmationNeededError = (
  question: string,
  extra?: Record<string, unknown>,
  why = 'this is not an interactive terminal',
): CliError =>
  new CliError(`Confirmation required, but ${why}: ${question}`, {
    code: 'CONFIRMATION_NEEDED',
    exit: exitCodes.usage,
    hint: 'Pass --yes to confirm.',
    extra,
  });

const passToLogin =
  'Pass the key on standard input: orgchat auth login --with-token --base-url URL < key.txt';

/** Asks for a text, or for a secret that is not shown. `hint` says how to pass it without a terminal. */
export async function ask(question: string, kind: 'text' | 'secret', hint = passToLogin): Promise<string> {
  const screen = openDialog();
  if (screen === undefined) {
    throw new CliError(`Input required, but this is not an interactive terminal: ${question}.`, {
      code: 'TERMINAL_NEEDED',
      exit: exitCodes.usage,
      hint,
    });
  }
  const answer = await readAnswer<string>(screen, {
    text: kind === 'secret' ? `${question} (not shown): ` : `${question}: `,
    isEchoed: kind === 'text',
    fromLine: (line) => line.trim() || undefined,
  });
  if (answer === undefined) throw declinedError();
  return answer;
}
