import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMock, type Mock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { startFaultyNetwork } from '../../../packages/fleet/test-support/faulty-network.ts';
import { buildWorker } from './build-worker.ts';
import { type Chaos, createChaos } from './chaos.ts';
import { type SharedEngine, startEngine } from './engines.ts';
import { judge } from './judge.ts';
import { type EngineKind, monotonicMs, type PlantedBug } from './messages.ts';
import { startWorkers, type WorkerProcesses } from './worker-processes.ts';

/** What a soak of the fleet does. */
export interface FleetSoak {
  readonly engine: EngineKind;
  readonly seed: number;
  readonly intents: number;
  readonly workers: number;
  /** How many requests the key may send per window. */
  readonly perWindow: number;
  /** The length of the window in milliseconds. Default: a minute, and the mock enforces the limit too. */
  readonly windowMs?: number | undefined;
  readonly bug?: PlantedBug | undefined;
  /** Called every few seconds with what was done so far. */
  readonly onProgress?: ((text: string) => void) | undefined;
}

/** Without progress for so long, something is stuck: longer than a window, a lease and a restart together. */
const stuckMs = 240_000;
const minuteMs = 60_000;

/** The parts of a soak that run. */
interface Running {
  readonly folder: string;
  readonly mock: Mock;
  readonly baseUrl: string;
  readonly engine: SharedEngine;
  readonly workers: WorkerProcesses;
  readonly chaos: Chaos;
}

/**
 * Workers in processes of their own share a key, a journal and a pace in one engine, and an outbox in Postgres, while workers and engine
 * are killed, the network fails and the mock injects faults. Returns counts by name. Throws if anything was lost or
 * doubled, if a window had too many requests, or if a request passed another one; the message names a folder with the
 * logs.
 */
export async function soakFleet(options: FleetSoak): Promise<Record<string, number>> {
  const toClose: (() => Promise<unknown>)[] = [];
  try {
    const running = await startAll(options, toClose);
    const problems = await watch(options, running);
    return await end(options, running, problems);
  } finally {
    for (const close of toClose.reverse()) await close();
  }
}

/** Starts all parts, and adds what ends each of them. */
async function startAll(options: FleetSoak, toClose: (() => Promise<unknown>)[]): Promise<Running> {
  const { engine: kind, seed, intents, workers: workerCount, perWindow, windowMs, bug } = options;
  const mock = createMock({
    ...{ rateLimit: windowMs ? ('off' as const) : perWindow, monthlyLimit: 'off', randomSeed: seed },
    ...{ requestLogSize: intents * 10 + 1_000, logBytes: 0 },
  });
  armFaults(mock);
  const http = await mock.listen({ port: 0 });
  toClose.push(() => http.close());
  const engine = await startEngine(kind, bug);
  toClose.push(engine.stop);
  const network = await startFaultyNetwork(engine.port);
  toClose.push(network.close);
  const program = await buildWorker();
  toClose.push(program.remove);
  const { baseUrl } = http;
  const folder = mkdtempSync(join(tmpdir(), 'orgchat-fleet-'));
  const task = {
    engine: kind,
    workers: workerCount,
    intents,
    port: network.port,
    baseUrl,
    perWindow,
    windowMs,
    bug,
  };
  const workers = startWorkers(program.file, folder, task);
  toClose.push(workers.stop);
  const chaos = createChaos({ seed, intents, workers, workerCount, engine, network });
  return { folder, mock, baseUrl, engine, workers, chaos };
}

/** Answers that are lost, late or wrong. */
function armFaults(mock: Mock): void {
  const some = { operation: 'changeChat', times: 'always' } as const;
  mock.faults.arm({ ...some, effect: 'lose-response', probability: 0.01 });
  mock.faults.arm({ ...some, effect: 'drop-request', probability: 0.01 });
  mock.faults.arm({ ...some, effect: 'cut-response', probability: 0.005 });
  mock.faults.arm({ ...some, effect: 'respond', status: 503, undeclared: true, probability: 0.01 });
  const delay = { effect: 'delay', delayMs: { min: 500, max: 5_000 }, applied: true } as const;
  mock.faults.arm({ ...some, ...delay, probability: 0.005 });
}

/** Runs until all intents are carried out. Returns a problem if nothing happens any more. */
async function watch(
  { intents, workers: workerCount, onProgress = () => undefined }: FleetSoak,
  { mock, engine, workers, chaos }: Running,
): Promise<string[]> {
  const startedAt = monotonicMs();
  let [applied, after, changedAt, shownAt] = [0, 0, startedAt, startedAt];
  for (;;) {
    await sleep(300);
    const requests = mock.requests.list({ after });
    after = requests.at(-1)?.id ?? after;
    const added = requests.filter((request) => request.applied).length;
    if (added > 0) changedAt = monotonicMs();
    applied += added;
    await chaos.step(applied);
    if (monotonicMs() - shownAt > 5_000) {
      shownAt = monotonicMs();
      const seconds = Math.round((shownAt - startedAt) / 1_000);
      onProgress(`${applied} of ${intents} applied after ${seconds} s, ${chaos.describe()}`);
    }
    if (workers.failures.length > 0) return [...workers.failures];
    if (workers.countFinished() === workerCount && (await engine.countWaiting()) === 0) return [];
    if (monotonicMs() - changedAt > stuckMs) {
      const waiting = await engine.countWaiting();
      return [`nothing was applied for ${stuckMs / 1_000} s, and ${waiting} changes wait in the outbox`];
    }
  }
}

/** Ends the workers, finishes what they left, and checks everything. Keeps the logs if there is a problem. */
async function end(
  { intents, perWindow, windowMs = minuteMs }: FleetSoak,
  { folder, mock, baseUrl, engine, workers, chaos }: Running,
  problems: readonly string[],
): Promise<Record<string, number>> {
  await workers.stop();
  mock.faults.disarm();
  // What follows does not belong to the pace of the workers.
  const requests = mock.requests.list();
  mock.patchLimits({ rateLimit: 'off' });
  const { journal } = engine;
  const client = createClient({ apiKey: 'demo-write-key', baseUrl, pacing: false, journal });
  await client.operations.resumeAll({ wait: true });
  const open = await client.operations.list({ open: true });
  const names = (await client.tags.list().toArray()).map(({ name }) => name);
  const verdict = judge({ intents, notes: workers.readNotes(), requests, names, perWindow, windowMs });
  const found = [
    ...problems,
    ...verdict.problems,
    ...(open.length > 0 ? [`${open.length} operations are open in the end`] : []),
  ];
  if (found.length > 0) {
    const files = {
      'requests.jsonl': requests.map((request) => JSON.stringify(request)).join('\n'),
      'outbox.json': JSON.stringify(await engine.listOutbox(), undefined, 2),
      'operations.json': JSON.stringify(open, undefined, 2),
      'problems.txt': found.join('\n'),
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    throw new Error(`${found.slice(0, 20).join('\n')}\nThe logs are in ${folder}.`);
  }
  rmSync(folder, { recursive: true, force: true });
  return { ...verdict.counts, ...chaos.counts() };
}
