import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../test-support/bundle-program.ts';
import type { WorkerNote, WorkerTask } from './plan.ts';

const program = fileURLToPath(new URL('./worker-program.ts', import.meta.url));

/** The workers of a soak. One that was killed is started again with the same task. */
export interface WorkerProcesses {
  /** How often one was killed, by others or by itself. */
  readonly kills: number;
  kill(worker: number): void;
  /** Stops a worker for this many milliseconds. */
  pause(worker: number, ms: number): void;
  /** Workers that ended by themselves, which none should. */
  readonly failures: readonly string[];
  /** How many workers have carried out all of their intents. */
  countFinished(): number;
  /** Everything that the workers have noted. */
  readNotes(): readonly WorkerNote[];
  /** Kills all of them for good. */
  stop(): Promise<void>;
}

/** Starts the workers. Their logs and what they print to stderr are in the folder. */
export function startWorkers(folder: string, task: Omit<WorkerTask, 'worker' | 'log'>): WorkerProcesses {
  const logOf = (worker: number): string => join(folder, `worker-${worker}.jsonl`);
  const numbers = Array.from({ length: task.workers }, (_, worker) => worker);
  const children: ChildProcess[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const failures: string[] = [];
  let isStopping = false;
  let kills = 0;

  function start(worker: number): void {
    const argument: WorkerTask = { ...task, worker, log: logOf(worker) };
    const child = spawn(process.execPath, [bundleProgram(program), JSON.stringify(argument)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    children[worker] = child;
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk;
    });
    child.once('close', (code, signal) => {
      if (errors !== '') writeFileSync(join(folder, `worker-${worker}-${child.pid}.stderr`), errors);
      if (isStopping) return;
      if (signal === 'SIGKILL') {
        kills++;
        start(worker);
      } else failures.push(`worker ${worker} ended with ${signal ?? code}: ${errors.slice(0, 500)}`);
    });
  }

  const read = (worker: number): string => {
    try {
      return readFileSync(logOf(worker), 'utf8');
    } catch {
      return '';
    }
  };
  for (const worker of numbers) start(worker);
  return {
    get kills() {
      return kills;
    },
    failures,
    kill(worker) {
      children[worker]?.kill('SIGKILL');
    },
    pause(worker, ms) {
      const child = children[worker];
      child?.kill('SIGSTOP');
      const timer = setTimeout(() => {
        timers.delete(timer);
        child?.kill('SIGCONT');
      }, ms);
      timers.add(timer);
    },
    countFinished: () => numbers.filter((worker) => read(worker).includes('{"type":"finished"}\n')).length,
    readNotes: () =>
      numbers.flatMap((worker) =>
        read(worker)
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as WorkerNote),
      ),
    async stop() {
      isStopping = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(
        children.map((child) => {
          const ended = new Promise((resolve) => child.once('close', resolve));
          return child.exitCode === null && child.signalCode === null && child.kill('SIGKILL') && ended;
        }),
      );
    },
  };
}
