import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMock, type Mock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { allEvents, type Chaos, type ChaosEvent, createChaos } from './chaos.ts';
import { type SharedEngines, startEngines } from './engines.ts';
import { judge, type OrganizationState } from './judge.ts';
import { monotonicMs, type Organization, organizations, type PlantedBug } from './plan.ts';
import { startWorkers, type WorkerProcesses } from './worker-processes.ts';

/** What a soak of the fleet does. */
export interface FleetSoak {
  readonly seed: number;
  readonly intents: number;
  readonly workers: number;
  /** How many requests each key may send per window. */
  readonly perWindow: number;
  /** The length of the window in milliseconds. Default: a minute, and the mock enforces the limit too. */
  readonly windowMs?: number | undefined;
  readonly bugs?: readonly PlantedBug[] | undefined;
  /** What goes wrong in a round. Default: everything. */
  readonly round?: readonly ChaosEvent[] | undefined;
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
  readonly engines: SharedEngines;
  readonly workers: WorkerProcesses;
  readonly chaos: Chaos;
}

/**
 * Workers in processes of their own share the keys of several organizations, with a journal and a pace in Postgres or Redis and
 * an outbox in Postgres. Workers and engines are killed and stopped, networks fail or fall silent, keys are revoked for a
 * while, and the mock injects faults. Returns counts by name. Throws if anything was lost, doubled, misreported or applied in
 * another organization, if a window had too many requests, or if a request passed another one; the message names a folder
 * with the logs.
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
  const { seed, intents, workers: workerCount, perWindow, windowMs, bugs = [], round = allEvents } = options;
  const mock = createMock({
    ...{ rateLimit: windowMs ? ('off' as const) : perWindow, monthlyLimit: 'off', randomSeed: seed },
    ...{ requestLogSize: intents * 10 + 1_000, logBytes: 0 },
    seed: {
      organizations: organizations.map(({ id, apiKey }) => ({
        ...{ id, name: id, keys: [{ name: id, key: apiKey, scope: 'write' }] },
      })),
    },
  });
  armFaults(mock);
  const http = await mock.listen({ port: 0 });
  toClose.push(() => http.close());
  const engines = await startEngines(bugs);
  toClose.push(engines.redis.stop, engines.postgres.stop);
  const { baseUrl } = http;
  const folder = mkdtempSync(join(tmpdir(), 'orgchat-fleet-'));
  const ports = { postgres: engines.postgres.network.port, redis: engines.redis.network.port };
  const task = { workers: workerCount, intents, ports, baseUrl, perWindow, windowMs, bugs };
  const workers = startWorkers(folder, task);
  toClose.push(workers.stop);
  const chaos = createChaos({ seed, intents, workers, workerCount, engines, mock, round });
  return { folder, mock, baseUrl, engines, workers, chaos };
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
  { mock, engines, workers, chaos }: Running,
): Promise<string[]> {
  const startedAt = monotonicMs();
  let [applied, refused, after, changedAt, shownAt] = [0, 0, 0, startedAt, startedAt];
  for (;;) {
    await sleep(300);
    const requests = mock.requests.list({ after });
    after = requests.at(-1)?.id ?? after;
    const added = requests.filter((request) => request.applied).length;
    if (added > 0) changedAt = monotonicMs();
    applied += added;
    refused += requests.filter(({ status }) => status === 401).length;
    await chaos.step(applied, refused);
    if (monotonicMs() - shownAt > 5_000) {
      shownAt = monotonicMs();
      const seconds = Math.round((shownAt - startedAt) / 1_000);
      onProgress(`${applied} of ${intents} applied after ${seconds} s, ${chaos.describe()}`);
    }
    if (workers.failures.length > 0) return [...workers.failures];
    if (workers.countFinished() === workerCount && (await engines.postgres.countWaiting()) === 0) return [];
    if (monotonicMs() - changedAt > stuckMs) {
      const waiting = await engines.postgres.countWaiting();
      return [`nothing was applied for ${stuckMs / 1_000} s, and ${waiting} changes wait in the outbox`];
    }
  }
}

/** Finishes what the workers left for an organization, and returns what it has. */
async function finish(
  { mock, baseUrl, engines }: Running,
  { apiKey, engine }: Organization,
): Promise<OrganizationState & { readonly open: number }> {
  mock.patchKey(apiKey, { revoked: false });
  const client = createClient({ apiKey, baseUrl, pacing: false, journal: engines[engine].journal });
  await client.operations.resumeAll({ wait: true, now: true });
  return {
    open: (await client.operations.list({ open: true })).length,
    names: (await client.tags.list().toArray()).map(({ name }) => name),
    operations: await client.operations.list({ limit: 1_000_000 }),
  };
}

/** Ends the workers, finishes what they left, and checks everything. Keeps the logs if there is a problem. */
async function end(
  { intents, perWindow, windowMs = minuteMs }: FleetSoak,
  running: Running,
  problems: readonly string[],
): Promise<Record<string, number>> {
  const { folder, mock, engines, workers, chaos } = running;
  await workers.stop();
  mock.faults.disarm();
  // What follows does not belong to the pace of the workers.
  const sent = mock.requests.list();
  mock.patchLimits({ rateLimit: 'off' });
  const states = new Map<Organization, OrganizationState>();
  const found = [...problems];
  for (const organization of organizations) {
    const { open, ...state } = await finish(running, organization);
    states.set(organization, state);
    if (open > 0) found.push(`${open} operations of ${organization.id} are open in the end`);
  }
  if (mock.requests.dropped().entries > 0) found.push('the request log was too short');
  const requests = { paced: sent, all: mock.requests.list() };
  const verdict = judge({ intents, notes: workers.readNotes(), requests, states, perWindow, windowMs });
  found.push(...verdict.problems);
  if (found.length > 0) {
    const toLines = (all: readonly unknown[]): string => all.map((one) => JSON.stringify(one)).join('\n');
    const files = {
      'requests.jsonl': toLines(requests.all),
      'outbox.jsonl': toLines(await engines.postgres.listWaiting()),
      'operations.jsonl': toLines([...states.values()].flatMap(({ operations }) => operations)),
      'problems.txt': found.join('\n'),
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    throw new Error(`${found.slice(0, 20).join('\n')}\nThe logs are in ${folder}.`);
  }
  rmSync(folder, { recursive: true, force: true });
  return { ...verdict.counts, ...chaos.counts() };
}
