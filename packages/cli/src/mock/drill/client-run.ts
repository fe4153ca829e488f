import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnswerMessage, FaultInput, Mock, RequestLogEntry } from '@orgchat/mock-server';
import { commandNotRunError } from '../command-not-run.ts';
import { ProcessGroup } from '../process-group.ts';
import type { RunEnd } from './judge.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** What every run has in common. */
export interface DrillSetup {
  readonly mock: Mock;
  readonly words: readonly [program: string, ...args: string[]];
  /** The environment of the command, for the addresses of a sandbox and a folder for its state. */
  readonly createEnvironment: (sandbox: Mock, stateFolder: string) => NodeJS.ProcessEnv;
  readonly timeoutMs: number;
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
  readonly durationMs: number;
  /** The last characters that the command wrote to stdout and stderr. */
  readonly output: string;
}

/** Runs the command in a sandbox of its own. If it was killed, it is run again with the same state folder. */
export async function runClient(setup: DrillSetup, { fault, killAfter }: Injection): Promise<ClientRun> {
  const sandbox = setup.mock.sandbox();
  const stateFolder = await mkdtemp(join(tmpdir(), 'orgchat-drill-'));
  const from = Date.now();
  try {
    if (fault !== undefined) sandbox.faults.arm(fault);
    const env = setup.createEnvironment(sandbox, stateFolder);
    let end = await runOnce(setup, env, sandbox, killAfter);
    const isKilled = end.isKilled;
    if (isKilled && !setup.signal.aborted) end = await runOnce(setup, env, sandbox, undefined);
    const log = sandbox.requests.list();
    const keywordRequests = log.filter(
      ({ operation, status }) => operation === 'addSeoKeywords' && (status === null || status < 400),
    );
    const to = Date.now();
    return {
      exit: end.exit,
      snapshot: takeSnapshot(setup.initialState, sandbox.state(), { from, to }, keywordRequests),
      log,
      isHit: isKilled || sandbox.faults.list().some(({ hits }) => hits.length > 0),
      durationMs: to - from,
      output: end.output,
    };
  } finally {
    sandbox.drop();
    await rm(stateFolder, { recursive: true, force: true });
  }
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
