import { spawn } from '@lydell/node-pty';
import type { Harness } from './harness.ts';

export interface Ended {
  /** All that was shown, byte for byte. */
  readonly shown: string;
  readonly code: number;
}

export interface PtyOptions {
  /** Typed before the program runs. */
  readonly ahead?: string;
  /** Each text is typed, or done to the process, once the text before it was shown since the last one. */
  readonly typed?: readonly (readonly [
    after: string,
    text: string | ((pid: number, closeTerminal: () => void) => void),
  ])[];
  readonly env?: Record<string, string | undefined>;
  readonly columns?: number;
  /** What is run in place of the built command. */
  readonly program?: readonly string[];
}

/** Runs the built command at a terminal of its own and types. */
export function atTerminal(
  { env, folder, command }: Harness,
  args: readonly string[],
  {
    ahead = '',
    typed = [],
    env: more = {},
    columns = 80,
    program = [process.execPath, command],
  }: PtyOptions = {},
): Promise<Ended> {
  const given = Object.entries({ ...env, TERM: 'xterm-256color', ...more });
  const [file = '', ...first] = program;
  const terminal = spawn(file, [...first, ...args], {
    name: more.TERM ?? 'xterm-256color',
    cols: columns,
    rows: 24,
    cwd: folder,
    env: Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  });
  if (ahead !== '') terminal.write(ahead);
  const waiting = [...typed];
  let shown = '';
  let seen = 0;
  terminal.onData((text) => {
    shown += text;
    const [next] = waiting;
    if (next === undefined) return;
    const [after, keys] = next;
    if (!shown.slice(seen).includes(after)) return;
    waiting.shift();
    seen = shown.length;
    if (typeof keys === 'string') terminal.write(keys);
    else keys(terminal.pid, () => (terminal as unknown as { destroy(): void }).destroy());
  });
  return new Promise((resolve) => {
    terminal.onExit(({ exitCode }) => resolve({ shown, code: exitCode }));
  });
}

/** The prompt of the shell that `inShell` runs. */
export const shellPrompt = 'shell> ';

/** The same in an interactive shell with job control: Ctrl-Z gives the shell back, `fg` the command. */
export const inShell = (cli: Harness, typed: PtyOptions['typed']): Promise<Ended> =>
  atTerminal(cli, ['--norc', '--noprofile', '-i'], {
    program: ['bash'],
    env: { PS1: shellPrompt, HISTFILE: '' },
    typed: typed ?? [],
  });
