import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Raises the priority of both processes, so that other load affects the measurement less. */
function preferOurselves(pid: number | undefined): void {
  try {
    for (const one of [pid, process.pid])
      if (one !== undefined) setPriority(one, constants.priority.PRIORITY_HIGHEST);
  } catch {
    // Not permitted: measure with normal priority.
  }
}

export interface MemoryUsage {
  /** Bytes in use after garbage collection. */
  readonly heapUsed: number;
  readonly rss: number;
}

/** The built `orgchat mock start` in its own process. */
export class MockProcess {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly #child: ChildProcess;
  #stderr = '';

  private constructor(child: ChildProcess, ready: { baseUrl: string; controlUrl: string }) {
    this.#child = child;
    this.baseUrl = ready.baseUrl;
    this.controlUrl = ready.controlUrl;
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-10_000);
    });
  }

  static async start(...options: string[]): Promise<MockProcess> {
    const child = spawn(
      process.execPath,
      [
        '--expose-gc',
        ...['--import', path('report-memory.mjs')],
        path('../../../packages/cli/bin/orgchat.cjs'),
        ...['mock', 'start', '--port', '0', '--json', ...options],
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        // The check of answers is not loaded here: the clients check the answers.
        env: { ...process.env, NODE_OPTIONS: '' },
      },
    );
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`orgchat mock start ended with ${code}; is it built?`);
    });
    const [line] = await Promise.race([once(createInterface({ input: child.stdout! }), 'line'), ended]);
    ended.catch(() => {});
    return new MockProcess(child, JSON.parse(String(line)) as { baseUrl: string; controlUrl: string });
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The end of its stderr. Empty unless the mock itself has a problem. */
  get stderr(): string {
    return this.#stderr;
  }

  async memory(): Promise<MemoryUsage> {
    const message = once(this.#child, 'message');
    this.#child.send('memory');
    const [memory] = (await message) as [MemoryUsage];
    return memory;
  }

  /** Sends SIGTERM. Returns the exit code and the time to exit. */
  async stop(): Promise<{ readonly code: number | null; readonly milliseconds: number }> {
    preferOurselves(this.#child.pid);
    const ended = once(this.#child, 'exit');
    const begun = performance.now();
    this.#child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    return { code, milliseconds: Math.round(performance.now() - begun) };
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
