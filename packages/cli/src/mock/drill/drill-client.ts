import { availableParallelism } from 'node:os';
import type { Context } from '../../context.ts';
import { CliError, usageError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { drillFields } from '../../output/mock-fields.ts';
import { showProgress } from '../../output/progress.ts';
import { checkWritable } from '../../output/write-file.ts';
import { createCommandEnvironment } from '../command-environment.ts';
import type { DrillOptions } from '../mock-options.ts';
import { chooseKey, type Running, readMockServer, runMockFor } from '../run-mock.ts';
import { AnsweredRequests } from './answered-requests.ts';
import { type ClientRun, type DrillSetup, runClient } from './client-run.ts';
import { type DrillFault, drillFaults } from './drill-faults.ts';
import {
  type DrillWrite,
  explainImpossible,
  type FaultSettings,
  getAllowance,
  listWrites,
  toMockFault,
} from './drill-writes.ts';
import { Judge } from './judge.ts';
import { writeJunit } from './junit-report.ts';
import { listNotTried } from './not-tried.ts';
import { printReport } from './print-report.ts';
import type { DrillRow, NotTried } from './report.ts';

/** Time for an answer that is late, and for one run of the command, in milliseconds. */
const defaultDelayMs = 5_000;
const defaultTimeoutMs = 60_000;

/** `mock drill -- COMMAND`: runs a client with each fault at each of its writes, and reports each run. */
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
  context.requireFields({ names: drillFields.client, isOpen: false });
  if (options.junit !== undefined) await checkWritable(options.junit);
  const done = await runDrill(context, options, { words: [program, ...args], name: words.join(' ') });
  if (done === undefined) return;
  const report = { command: words, rows: done.runs.map(({ row }) => row), notTried: done.notTried };
  if (options.junit !== undefined) await writeJunit(options.junit, report);
  await printReport(context.output, report);
}

/** What a drill runs. */
interface DrillSubject {
  readonly words: DrillSetup['words'];
  /** What a person types to run it. */
  readonly name: string;
  /** What to do if it writes nothing. */
  readonly nothingWrittenHint?: string;
}

/** A run with a fault, and the number of writes that the server applied in it, in the clean run, and replayed. */
export interface DrillRun {
  readonly row: DrillRow;
  readonly applied: number;
  readonly expected: number;
  readonly replayed: number;
}

interface DrillResult {
  readonly runs: readonly DrillRun[];
  readonly notTried: readonly NotTried[];
}

/**
 * Runs a command against the mock: twice without faults, then once per write and fault, each in a sandbox of its own.
 * Compares what each run left with the clean run. Exit code 5: a write was lost or applied twice. Undefined if the drill
 * was interrupted.
 */
export async function runDrill(
  context: Context,
  options: DrillOptions,
  subject: DrillSubject,
): Promise<DrillResult | undefined> {
  const { fault: asked, ...world } = options;
  const { setup, close } = await runMockFor(
    context,
    // Writes are counted in the request log, so it must not drop anything.
    { ...world, rateLimit: options.rateLimit ?? false, requestLogSize: 1_000_000 },
    (running) => ({ setup: createSetup(context, options, running, subject), close: running.close }),
  );
  try {
    const clean = await runClean(setup, subject);
    const second = await runClean(setup, subject);
    const judge = new Judge(clean.snapshot, second.snapshot);
    checkRepeatable(judge, second, subject.name);
    const writes = listWrites(clean.log);
    const pairs = listPairs(writes, asked);
    const settings = await createFaultSettings(context, options);
    const progress = await showProgress(context.output, 'drill', pairs.length);
    let done = 0;
    const runs = await mapParallel(
      pairs,
      options.jobs ?? availableParallelism(),
      setup.signal,
      async (pair) => {
        const run = await runPair(setup, judge, pair, clean, settings);
        progress.update(++done, `write ${pair.write.number}, ${pair.fault}`);
        return run;
      },
    );
    progress.stop();
    if (setup.signal.aborted) return undefined;
    if (runs.some(({ row }) => row.verdict !== 'ok')) context.exitCode = exitCodes.conflict;
    const rows = runs.map(({ row }) => row);
    return { runs, notTried: listNotTried(clean.log, writes, asked, rows) };
  } finally {
    setup.answered.stop();
    await close();
  }
}

async function createFaultSettings(context: Context, { delay }: DrillOptions): Promise<FaultSettings> {
  const { server } = await readMockServer(context);
  const [runtimeCode = 'RUNTIME_UNAVAILABLE'] = [server?.codes?.runtimeUnavailable ?? []].flat();
  return { delayMs: delay ?? defaultDelayMs, runtimeCode };
}

function createSetup(
  context: Context,
  options: DrillOptions,
  { mock, url }: Running,
  { words }: DrillSubject,
): DrillSetup {
  const key = chooseKey(mock, options.key);
  return {
    mock,
    words,
    timeoutMs: context.flags.timeout ?? defaultTimeoutMs,
    initialState: mock.state(),
    answered: new AnsweredRequests(),
    signal: context.interrupt.signal,
    createEnvironment: (sandbox, folder) =>
      createCommandEnvironment(context, sandbox.addresses(url), key, folder),
  };
}

/** A run without a fault, which has to succeed and to write something. */
async function runClean(setup: DrillSetup, subject: DrillSubject): Promise<ClientRun> {
  const run = await runClient(setup, {});
  checkClean(run, subject);
  return run;
}

function checkClean({ exit, log, output }: ClientRun, { name, nothingWrittenHint }: DrillSubject): void {
  const hint =
    'To see why, run it with its own mock: orgchat mock exec -- COMMAND. Keep files in ORGCHAT_STATE_DIR: it is new for each run.';
  if (exit !== 0) {
    const end = exit === null ? 'did not end in time' : `exited with ${exit}`;
    throw new CliError(`"${name}" ${end} before any fault was injected.`, {
      code: 'CLEAN_RUN_FAILED',
      exit: exitCodes.usage,
      hint,
      details: output.trimEnd().split('\n').slice(-maxLines),
      extra: { exit, output },
    });
  }
  if (!log.some(({ applied }) => applied)) {
    throw new CliError(`"${name}" changed nothing in the organization.`, {
      code: 'NOTHING_WRITTEN',
      exit: exitCodes.usage,
      hint:
        nothingWrittenHint ??
        'The command must send its requests to ORGCHAT_BASE_URL with the key of ORGCHAT_API_KEY.',
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
      .filter((fault) => explainImpossible(fault, write) === undefined)
      .map((fault) => ({ write, fault })),
  );

async function runPair(
  setup: DrillSetup,
  judge: Judge,
  { write, fault }: Pair,
  clean: ClientRun,
  settings: FaultSettings,
): Promise<DrillRun> {
  const injection =
    fault === 'kill' ? { killAfter: write.number } : { fault: toMockFault(fault, write, settings) };
  const run = await runClient(setup, injection);
  const judgment = judge.judge(run.snapshot, run, getAllowance(fault, write));
  const row = {
    write: write.number,
    action: write.action,
    record: clean.snapshot.names.get(write.recordId ?? '') ?? null,
    fault,
    ...judgment,
    hit: run.isHit,
    waited: run.hasWaited,
    exit: run.exit,
    durationMs: run.durationMs,
    output: run.output,
  };
  const replayed = run.log.filter(({ replayOf }) => replayOf !== null).length;
  return { row, applied: countApplied(run), expected: countApplied(clean), replayed };
}

const countApplied = ({ log }: ClientRun): number => log.filter(({ applied }) => applied).length;

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
