import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../../test/test-support/bundle-program.ts';
import type { WorkerOptions } from './worker.ts';

/** A worker process, and what it has printed. */
export interface Worker {
  readonly lines: readonly string[];
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));

function startProgram(name: string, args: readonly string[]): Worker {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [bundleProgram(file), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const parts = `${rest}${chunk}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return { lines, ended, signal: (signal) => void child.kill(signal) };
}

/** Starts `worker.ts`. */
export function startWorker(options: WorkerOptions): Worker {
  return startProgram('./worker.ts', [JSON.stringify(options)]);
}

/** Starts `relay.ts`. */
export function startRelay(port: number, baseUrl: string, ...owner: readonly string[]): Worker {
  return startProgram('./relay.ts', [String(port), baseUrl, ...owner]);
}

/** Starts `bullmq-worker.ts`. */
export function startBullmqWorker(port: number, baseUrl: string, ...owners: readonly string[]): Worker {
  return startProgram('./bullmq-worker.ts', [String(port), baseUrl, ...owners]);
}
