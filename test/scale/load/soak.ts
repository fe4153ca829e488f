import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Json } from '../../models/reference-model/resources.ts';
import { Control } from './control.ts';
import { isBackAtBaseline, isStable } from './memory-growth.ts';
import { type MemoryUsage, MockProcess } from './mock-process.ts';
import { loadSeed } from './seed.ts';
import { Worker, type WorkerTotals } from './worker-process.ts';

export interface SoakOptions {
  readonly minutes: number;
  readonly connections: number;
}

const workers = 2;
const steps = 10;
/** Share of the time that is warm-up. */
const warmUp = 0.2;
/** Number of memory samples after warm-up. */
const samples = 60;
/** Incomplete requests when the server stops. */
const unfinished = 50;
/** Maximum time from SIGTERM to exit. */
const maxStopMs = 1_000;
const megabyte = 1024 * 1024;

/** Runs the load, then stops the server with every connection in use. Returns counts by name; throws on a problem. */
export async function soakLoad(
  seed: number,
  { minutes, connections }: SoakOptions,
): Promise<Record<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'orgchat-load-'));
  const seedFile = join(folder, 'seed.json');
  await writeFile(seedFile, JSON.stringify(loadSeed()));
  const server = await MockProcess.start('--seed', seedFile, '--quiet');
  const { baseUrl, controlUrl } = server;
  const part = { baseUrl, controlUrl, steps, connections: Math.ceil(connections / workers) };
  const load = Array.from(
    { length: workers },
    (_, n) => new Worker({ ...part, seed: seed * workers + n, root: n === 0 }),
  );
  try {
    await watch(server, load, minutes * warmUp);
    const { memory: before } = await rest(server, load);
    const taken = await watch(server, load, minutes * (1 - warmUp));
    const { memory: after, totals } = await rest(server, load);
    const problems = totals.flatMap((one) => one.problems);
    if (!isBackAtBaseline(before, after))
      problems.push(`at rest there were ${formatMemory(before)} and then ${formatMemory(after)}`);
    if (!isStable(taken)) problems.push(`under load there were ${taken.map(formatMemory).join(', ')}`);
    const stopped = await stop(server, load, part.connections * workers);
    problems.push(...stopped.problems);
    if (server.stderr !== '') problems.push(`the server wrote:\n${server.stderr}`);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const sum = (of: (one: WorkerTotals) => number): number => totals.reduce((all, one) => all + of(one), 0);
    return {
      connections: part.connections * workers,
      minutes,
      'answers checked': sum(({ requests, statuses }) => requests - (statuses[0] ?? 0)),
      undeclared: 0,
      'broken by a fault': sum(({ statuses }) => statuses[0] ?? 0),
      'requests hit by faults': sum(({ hits }) => hits),
      sessions: sum(({ sessions }) => sessions),
      sandboxes: sum(({ sandboxes }) => sandboxes),
      'kB of heap at rest after warm-up': Math.round(before.heapUsed / 1024),
      'kB in the end': Math.round(after.heapUsed / 1024),
      'MB resident at most': Math.round(Math.max(...taken.map(({ rss }) => rss)) / megabyte),
      'in flight at SIGTERM and answered': stopped.answered,
      'ms from SIGTERM to exit 0': stopped.milliseconds,
    };
  } finally {
    for (const process of [server, ...load]) process.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

const formatMemory = ({ heapUsed, rss }: MemoryUsage): string =>
  `${(heapUsed / megabyte).toFixed(1)}/${(rss / megabyte).toFixed(0)} MB`;

/** Runs the load and samples the server's memory until the time is up or a problem occurs. */
async function watch(server: MockProcess, load: readonly Worker[], minutes: number): Promise<MemoryUsage[]> {
  for (const worker of load) worker.run();
  const taken: MemoryUsage[] = [];
  const apart = (minutes * 60_000) / samples;
  for (let i = 0; i < samples && server.running && !load.some(({ problems }) => problems > 0); i++) {
    await wait(apart);
    const memory = await server.memory();
    taken.push(memory);
    process.stderr.write(`load: ${i + 1} of ${samples}, ${formatMemory(memory)} \r`);
  }
  return taken;
}

/** Pauses the load with open connections and measures the server's memory. */
async function rest(
  server: MockProcess,
  load: readonly Worker[],
): Promise<{ memory: MemoryUsage; totals: WorkerTotals[] }> {
  const totals = await Promise.all(load.map((worker) => worker.rest()));
  return { memory: await server.memory(), totals };
}

/** Stops the server with a delayed request on each connection, and some incomplete requests. */
async function stop(
  server: MockProcess,
  load: readonly Worker[],
  connections: number,
): Promise<{ problems: string[]; answered: number; milliseconds: number }> {
  const control = new Control(server.controlUrl);
  const { id } = await control.call('POST', '/faults', {
    effect: 'delay',
    delayMs: 3_600_000,
    times: connections,
  });
  const holding = Promise.all(load.map((worker) => worker.hold()));
  // The rejection is handled where it is awaited.
  holding.catch(() => {});
  const halves = Array.from({ length: unfinished }, () => half(server.baseUrl));
  const inFlight = async (): Promise<number> => {
    const faults = (await control.call('GET', '/faults')).faults as Json[];
    return Number(faults.find((fault) => fault.id === id)?.seen);
  };
  while ((await inFlight()) < connections) await wait(100);
  const { code, milliseconds } = await server.stop();
  const held = await holding;
  for (const socket of halves) socket.destroy();
  control.close();
  const answered = held.reduce((sum, one) => sum + one, 0);
  const problems: string[] = [];
  if (code !== 0) problems.push(`it exited with ${code} after SIGTERM`);
  if (milliseconds > maxStopMs) problems.push(`it took ${milliseconds} ms to stop`);
  if (answered !== connections) problems.push(`of ${connections} in flight it answered ${answered}`);
  return { problems, answered, milliseconds };
}

/** Sends a request whose body never arrives. */
function half(baseUrl: string): Socket {
  const { port, hostname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write('POST /api/v1/chat/read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
  return socket;
}
