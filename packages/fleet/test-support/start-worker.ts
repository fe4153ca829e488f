import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from './worker.ts';

/** A worker process, and what it has printed. */
export interface Worker {
  readonly lines: readonly string[];
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
}

const file = fileURLToPath(new URL('./worker.ts', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));

export function startWorker(options: WorkerOptions): Worker {
  const args = ['--import', 'tsx', file, JSON.stringify(options)];
  const child: ChildProcess = spawn(process.execPath, args, {
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
  return { lines, ended, signal: (name) => void child.kill(name) };
}
