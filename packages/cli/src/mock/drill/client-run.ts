import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { constants } from 'node:os';
import type { AnswerMessage, FaultInput, Mock, RequestLogEntry } from '@orgchat/mock-server';
import { type CommandFolder, createCommandFolder } from '../command-environment.ts';
import { commandNotRunError } from '../command-not-run.ts';
import { ProcessGroup } from '../process-group.ts';
import type { AnsweredRequests } from './answered-requests.ts';
import type { RunEnd } from './judge.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** What every run has in common. */
export interface DrillSetup {
  readonly mock: Mock;
  readonly words: readonly [program: string, ...args: string[]];
  /** The environment of the command, for the addresses of a sandbox and the directories of a run. */
  readonly createEnvironment: (sandbox: Mock, folder: CommandFolder) => NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Those of all runs: a subscription for each would add a listener of each to every response. */
  readonly answered: AnsweredRequests;
  /** The state that every run starts from. */
  readonly initialState: unknown;
  /** Aborted if the drill is interrupted. */
  readonly signal: AbortSignal;
}

/** What happens to a run: a fault of the mock, a kill after a number of applied writes, or nothing. */
export interface Injection {
  readonly fault?: FaultInput | undefined;
  readonly killAfter?: number | undefined;
}

/** A finished run of the command. */
export interface ClientRun extends RunEnd {
  readonly snapshot: Snapshot;
  readonly log: readonly RequestLogEntry[];
  /** Whether the fault hit a request, or the command was killed. */
  readonly isHit: boolean;
  /** Whether the client got the answer that a fault delayed: it waited longer than the delay. */
  readonly hasWaited: boolean;
  readonly durationMs: number;
  /** The last characters that the command wrote to stdout and stderr. */
  readonly output: string;
}

/** Runs the command in a sandbox of its own. If it was killed, it is run again with the same directories. */
export async function runClient(setup: DrillSetup, { fault, killAfter }: Injection): Promise<ClientRun> {
  const sandbox = setup.mock.sandbox();
  const folder = await createCommandFolder();
  const from = Date.now();
  try {
    if (fault !== undefined) sandbox.faults.arm(fault);
    const env = setup.createEnvironment(sandbox, folder);
    let end = await runOnce(setup, env, sandbox, killAfter);
    const isKilled = end.isKilled;
    if (isKilled && !setup.signal.aborted) end = await runOnce(setup, env, sandbox, undefined);
    await waitForLateRequests(sandbox, setup.signal);
    const log = sandbox.requests.list();
    const keywordRequests = log.filter(
      ({ operation, status }) => operation === 'addSeoKeywords' && mayBeApplied(status),
    );
    const to = Date.now();
    return {
      exit: end.exit,
      snapshot: takeSnapshot(setup.initialState, sandbox.state(), { from, to }, keywordRequests),
      log,
      isHit: isKilled || sandbox.faults.list().some(({ hits }) => hits.length > 0),
      hasWaited: log.some(({ id, faults }) => faults.includes('delay') && setup.answered.ids.has(id)),
      durationMs: to - from,
      output: end.output,
    };
  } finally {
    sandbox.drop();
    await folder.remove();
  }
}

const mayBeApplied = (status: number | null): boolean => status === null || status < 400 || status >= 500;

/** How often late requests are looked for, in milliseconds. */
const pollMs = 20;

/** A delayed request is applied even if its client gave up or ended: what it does has to be in the comparison. */
async function waitForLateRequests(sandbox: Mock, signal: AbortSignal): Promise<void> {
  const isLate = ({ faults, status }: RequestLogEntry): boolean =>
    faults.includes('delay') && status === null;
  while (!signal.aborted && sandbox.requests.list().some(isLate))
    await new Promise((resolve) => setTimeout(resolve, pollMs));
}

interface ProcessEnd extends RunEnd {
  readonly isKilled: boolean;
  readonly output: string;
}

/** Runs the command once, until it ends, is killed after its k-th applied write, or runs out of time. */
async function runOnce(
  { words: [program, ...args], timeoutMs, signal }: DrillSetup,
  env: NodeJS.ProcessEnv,
  sandbox: Mock,
  killAfter: number | undefined,
): Promise<ProcessEnd> {
  const group = new ProcessGroup(program, args, env, { stdio: ['ignore', 'pipe', 'pipe'], ownGroup: true });
  const output = new OutputTail();
  group.child.stdout?.on('data', output.add);
  group.child.stderr?.on('data', output.add);
  let isTimedOut = false;
  let isKilled = false;
  const kill = (): void => group.signal('SIGKILL');
  const timer = setTimeout(() => {
    isTimedOut = true;
    kill();
  }, timeoutMs);
  const stop =
    killAfter === undefined
      ? undefined
      : afterWrites(sandbox, killAfter, () => {
          isKilled = true;
          kill();
        });
  signal.addEventListener('abort', kill);
  if (signal.aborted) kill();
  try {
    const exit = await new Promise<number>((resolve, reject) => {
      group.child.once('error', (error: NodeJS.ErrnoException) => reject(commandNotRunError(program, error)));
      group.child.once('exit', (code, name) =>
        resolve(code ?? 128 + (name === null ? 0 : constants.signals[name])),
      );
    });
    return { exit: isTimedOut ? null : exit, isKilled, output: output.text };
  } finally {
    clearTimeout(timer);
    stop?.();
    signal.removeEventListener('abort', kill);
    await group.kill();
  }
}

/**
 * Calls `callback` once a sandbox has applied `count` writes, before the answer to the last of them is sent. Returns a
 * function that stops that.
 */
function afterWrites(sandbox: Mock, count: number, callback: () => void): () => void {
  const listener = (message: unknown): void => {
    if ((message as AnswerMessage).sandboxId !== sandbox.id) return;
    if (sandbox.requests.list().filter(({ applied }) => applied).length < count) return;
    stop();
    callback();
  };
  const stop = (): boolean => unsubscribe('orgchat.mock.answer', listener);
  subscribe('orgchat.mock.answer', listener);
  return stop;
}

/** Number of characters of the output that are kept. */
const tailLength = 2_000;

class OutputTail {
  text = '';
  readonly add = (chunk: Buffer): void => {
    this.text = (this.text + chunk.toString('utf8')).slice(-tailLength);
  };
}
