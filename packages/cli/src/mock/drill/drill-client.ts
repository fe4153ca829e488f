import { availableParallelism } from 'node:os';
import type { Mock } from '@orgchat/mock-server';
import type { Context } from '../../context.ts';
import { CliError, usageError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { showProgress } from '../../output/progress.ts';
import { checkWritable } from '../../output/write-file.ts';
import { createCommandEnvironment } from '../command-environment.ts';
import type { DrillOptions } from '../mock-options.ts';
import { chooseKey, type Running, runMockFor } from '../run-mock.ts';
import { type ClientRun, type DrillSetup, runClient } from './client-run.ts';
import {
  canHit,
  type DrillFault,
  type DrillWrite,
  drillFaults,
  listWrites,
  toMockFault,
} from './drill-faults.ts';
import { Judge } from './judge.ts';
import { type DrillRow, printReport, writeJunit } from './report.ts';

/** Time for an answer that is late, and for one run of the command, in milliseconds. */
const defaultDelayMs = 5_000;
const defaultTimeoutMs = 60_000;

/**
 * Runs a client against the mock: twice without faults, then once per write and fault, each in a sandbox of its own.
 * Compares what each run left with the clean run.
 */
export async function drillClient(
  context: Context,
  options: DrillOptions,
  words: readonly string[],
): Promise<void> {
  const [program, ...args] = words;
  if (program === undefined)
    throw usageError(
      'Missing command after "mock drill --".',
      'Usage: orgchat mock drill -- COMMAND ARGUMENTS',
    );
  if (options.junit !== undefined) await checkWritable(options.junit);
  const { fault: asked, ...world } = options;
  const { setup, close } = await runMockFor(
    context,
    // Writes are counted in the request log, so it must not drop anything.
    { ...world, rateLimit: options.rateLimit ?? false, requestLogSize: 1_000_000 },
    (running) => ({
      setup: createSetup(context, options, running, [program, ...args]),
      close: running.close,
    }),
  );
  try {
    const [clean, second] = await runCleanTwice(setup);
    const judge = new Judge(clean.snapshot, second.snapshot);
    checkRepeatable(judge, second, words.join(' '));
    const pairs = listPairs(listWrites(clean.log), asked);
    const progress = await showProgress(context.output, 'drill', pairs.length);
    let done = 0;
    const rows = await mapParallel(
      pairs,
      options.jobs ?? availableParallelism(),
      setup.signal,
      async (pair) => {
        const row = await runPair(setup, judge, pair, clean, options.delay ?? defaultDelayMs);
        progress.update(++done, `write ${pair.write.number}, ${pair.fault}`);
        return row;
      },
    );
    progress.stop();
    if (setup.signal.aborted) return;
    if (options.junit !== undefined) await writeJunit(options.junit, words, rows);
    await printReport(context.output, words, rows);
    if (rows.some(({ verdict }) => verdict !== 'ok')) context.exitCode = exitCodes.conflict;
  } finally {
    await close();
  }
}

function createSetup(
  context: Context,
  options: DrillOptions,
  { mock, url }: Running,
  words: DrillSetup['words'],
): DrillSetup {
  const key = chooseKey(mock, options.key);
  return {
    mock,
    words,
    timeoutMs: context.options.timeout ?? defaultTimeoutMs,
    initialState: mock.state(),
    signal: context.interrupt.signal,
    createEnvironment: (sandbox: Mock, stateFolder) => ({
      ...createCommandEnvironment(context, sandbox.addresses(url), key),
      ORGCHAT_STATE_DIR: stateFolder,
    }),
  };
}

/** Two runs without faults. */
async function runCleanTwice(setup: DrillSetup): Promise<[ClientRun, ClientRun]> {
  return [await runClean(setup), await runClean(setup)];
}

/** A run without a fault, which has to succeed and to write something. */
async function runClean(setup: DrillSetup): Promise<ClientRun> {
  const run = await runClient(setup, {});
  checkClean(run, setup.words.join(' '));
  return run;
}

function checkClean({ exit, log, output }: ClientRun, command: string): void {
  const hint =
    'To see why, run it with its own mock: orgchat mock exec -- COMMAND. Keep files in ORGCHAT_STATE_DIR: it is new for each run.';
  if (exit !== 0) {
    const end = exit === null ? 'did not end in time' : `exited with ${exit}`;
    throw new CliError(`"${command}" ${end} before any fault was injected.`, {
      code: 'CLEAN_RUN_FAILED',
      exit: exitCodes.usage,
      hint,
      details: output.trimEnd().split('\n').slice(-maxLines),
      extra: { exit, output },
    });
  }
  if (!log.some(({ applied }) => applied)) {
    throw new CliError(`"${command}" changed nothing in the organization.`, {
      code: 'NOTHING_WRITTEN',
      exit: exitCodes.usage,
      hint: 'The command must send its requests to ORGCHAT_BASE_URL with the key of ORGCHAT_API_KEY.',
      extra: { requests: log.length },
    });
  }
}

/** Number of lines of its output that the error of a command shows. */
const maxLines = 10;

/** A client whose clean runs differ in what they write cannot be judged by them. */
function checkRepeatable(judge: Judge, second: ClientRun, command: string): void {
  const { lost, doubled } = judge.compare(second.snapshot);
  if (lost.length + doubled.length === 0) return;
  throw new CliError(`Two runs of "${command}" without any fault left different records.`, {
    code: 'CLEAN_RUN_FAILED',
    exit: exitCodes.usage,
    hint: 'Every run must do the same. Keep files in ORGCHAT_STATE_DIR: it is new for each run.',
    details: [...lost, ...doubled],
    extra: { differences: [...lost, ...doubled] },
  });
}

interface Pair {
  readonly write: DrillWrite;
  readonly fault: DrillFault;
}

const listPairs = (writes: readonly DrillWrite[], asked: readonly string[] | undefined): Pair[] =>
  writes.flatMap((write) =>
    drillFaults
      .filter((fault) => asked === undefined || asked.includes(fault))
      .filter((fault) => canHit(fault, write))
      .map((fault) => ({ write, fault })),
  );

async function runPair(
  setup: DrillSetup,
  judge: Judge,
  { write, fault }: Pair,
  clean: ClientRun,
  delayMs: number,
): Promise<DrillRow> {
  const injection =
    fault === 'kill' ? { killAfter: write.number } : { fault: toMockFault(fault, write, delayMs) };
  const run = await runClient(setup, injection);
  const judgment = judge.judge(run.snapshot, run, write.operation === 'addSeoKeywords');
  return {
    write: write.number,
    action: write.action,
    record: clean.snapshot.names.get(write.recordId ?? '') ?? null,
    fault,
    ...judgment,
    hit: run.isHit,
    exit: run.exit,
    durationMs: run.durationMs,
    output: run.output,
  };
}

/** Maps items with several calls in progress, in order. Begins nothing new after `signal`. */
async function mapParallel<T, R>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  map: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length && !signal.aborted) {
      const index = next++;
      results[index] = await map(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
