import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { Readable, Writable } from 'node:stream';
import type { BuiltCommand } from './build.ts';

/*
 * Runs the built command in the process of the tests. Starting a process takes a hundred times as long as most commands.
 * Each run evaluates the bundle again, so that no state of a module passes from one run to the next; only the schemas of
 * the contract are made once. The bundle gets a `process` and a `globalThis` of its own, with a connection pool that ends
 * with the run.
 */

export interface InProcessRun {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input: string;
}

export interface InProcessResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Bundle {
  main(args: readonly string[]): Promise<void>;
}
/** Evaluates the bundle in one run's scope: see `wrapBundle`. */
type Evaluate = (...parameters: unknown[]) => void;

interface ConnectionPool {
  destroy(): Promise<void>;
}
type Scope = typeof globalThis & Record<symbol, ConnectionPool>;

/** Where Node keeps the connection pool of `fetch`. */
const poolKey = Symbol.for('undici.globalDispatcher.1');

/** Thrown by `process.exit`, because nothing after it may run. */
class Exit extends Error {}

/** A stream that keeps what is written to it. */
class Sink extends Writable {
  private readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}

/** The parts of `process` that differ between runs; everything else is the real one's. */
function createProcess(
  entry: string,
  { args, env, input }: InProcessRun,
  streams: { readonly stdout: Sink; readonly stderr: Sink },
  onExit: (code: number) => void,
): NodeJS.Process {
  const own = {
    ...streams,
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    env: { ...env },
    argv: [process.execPath, entry, ...args],
    execArgv: [],
    exitCode: undefined,
    send: undefined,
    exit(code?: number): never {
      const status = code ?? run.exitCode ?? 0;
      events.emit('exit', status);
      onExit(Number(status));
      throw new Exit();
    },
  };
  const run = Object.create(process, Object.getOwnPropertyDescriptors(own)) as NodeJS.Process;
  // Its own listeners: it must neither see signals of the tests nor leave listeners behind.
  const events = run as unknown as EventEmitter;
  EventEmitter.call(events);
  return run;
}

/** The global scope of one run. `fetch` uses connections that no other run uses. */
function createScope(own: NodeJS.Process): { readonly scope: Scope; readonly pool: ConnectionPool } {
  // Node creates its pool when this name is first used.
  void Request;
  const shared = (globalThis as Scope)[poolKey];
  if (shared === undefined) throw new Error('Node has no connection pool to copy.');
  const pool = new (shared.constructor as new () => ConnectionPool)();
  const scope = Object.create(globalThis) as Scope;
  const fetch: typeof globalThis.fetch = (target, init) =>
    globalThis.fetch(target, { dispatcher: pool, ...init } as RequestInit);
  for (const [name, value] of Object.entries({ process: own, fetch, globalThis: scope }))
    Object.defineProperty(scope, name, { value, configurable: true, writable: true });
  Object.defineProperty(scope, poolKey, { value: pool });
  return { scope, pool };
}

let isRunning = false;

/** Names of variables that only the command and its keychain read. Others are also read by Node and by the system. */
const isOwnVariable = (name: string): boolean => /^(?:ORGCHAT|XDG|TEST)_/.test(name);

/** Subcommands of `mock` that start, find or end processes. Others only call the control API, or only write a file. */
const usesProcesses = (name: string): boolean => ['start', 'exec', 'stop', 'open', 'drill'].includes(name);

/**
 * Whether a run here has the same result as a process. Not for commands that start processes, for what `bin` answers
 * without the bundle, for an environment that Node itself reads, or while another run is in progress.
 */
export function canRunInProcess(
  args: readonly string[],
  changed: Readonly<Record<string, string | undefined>>,
): boolean {
  const [group, name] = args;
  if (group === undefined || name === undefined) return false;
  if (group === 'mock' && usesProcesses(name)) return false;
  return !isRunning && Object.keys(changed).every(isOwnVariable);
}

/** Runs a command line to its end. */
export async function runInProcess(
  { entry, bundle, wrapped }: BuiltCommand,
  run: InProcessRun,
): Promise<InProcessResult> {
  const requireReal = createRequire(wrapped);
  // As bin/orgchat.cjs does for --debug; the bundle is loaded only once, for all runs. Stacks are then made by Node: what
  // vitest makes them with knows only its own modules.
  process.setSourceMapsEnabled(true);
  const { prepareStackTrace } = Error;
  const evaluate = requireReal(wrapped) as Evaluate;
  const streams = { stdout: new Sink(), stderr: new Sink() };
  const before = process.cwd();
  isRunning = true;
  Object.assign(Error, { prepareStackTrace: undefined });
  try {
    // Paths in arguments are relative to the working directory, which belongs to the whole process.
    process.chdir(run.cwd);
    const code = await new Promise<number>((resolve, reject) => {
      const own = createProcess(entry, run, streams, resolve);
      const { scope, pool } = createScope(own);
      const require = (name: string): unknown =>
        /^(?:node:)?process$/.test(name) ? own : (requireReal(name) as unknown);
      const module = { exports: {} };
      evaluate(module.exports, require, module, bundle, own, scope, scope.fetch);
      (module.exports as Bundle).main(run.args).catch((error: unknown) => {
        void pool.destroy();
        if (error instanceof Exit) return;
        // Made now, while Node makes it.
        if (error instanceof Error) void error.stack;
        reject(error);
      });
    });
    return { code, stdout: streams.stdout.text, stderr: streams.stderr.text };
  } finally {
    Object.assign(Error, { prepareStackTrace });
    process.chdir(before);
    isRunning = false;
  }
}
