import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** What is measured is the server, not what else a busy machine does, as far as that can be had. */
function preferOurselves(pid: number | undefined): void {
  try {
    for (const one of [pid, process.pid])
      if (one !== undefined) setPriority(one, constants.priority.PRIORITY_HIGHEST);
  } catch {
    // Not allowed to: then it is measured as it is.
  }
}

export interface Memory {
  /** Bytes that are still needed once garbage is collected. */
  readonly heapUsed: number;
  readonly rss: number;
}

/** `orgchat mock start`, as it was built, in a process of its own. */
export class Server {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly #child: ChildProcess;
  #said = '';

  private constructor(child: ChildProcess, ready: { baseUrl: string; controlUrl: string }) {
    this.#child = child;
    this.baseUrl = ready.baseUrl;
    this.controlUrl = ready.controlUrl;
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString()).slice(-10_000);
    });
  }

  static async start(...options: string[]): Promise<Server> {
    const child = spawn(
      process.execPath,
      [
        '--expose-gc',
        ...['--import', path('probe.mjs')],
        path('../../packages/cli/bin/orgchat.cjs'),
        ...['mock', 'start', '--port', '0', '--json', ...options],
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        // Nothing else is loaded into it: its answers are judged where they arrive.
        env: { ...process.env, NODE_OPTIONS: '' },
      },
    );
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`orgchat mock start ended with ${code}; is it built?`);
    });
    const [line] = await Promise.race([once(createInterface({ input: child.stdout! }), 'line'), ended]);
    ended.catch(() => {});
    return new Server(child, JSON.parse(String(line)) as { baseUrl: string; controlUrl: string });
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it wrote to stderr, the end of it: nothing, as long as nothing is wrong in the mock itself. */
  get said(): string {
    return this.#said;
  }

  async memory(): Promise<Memory> {
    const told = once(this.#child, 'message');
    this.#child.send('memory');
    const [memory] = (await told) as [Memory];
    return memory;
  }

  /** Asks it to stop by SIGTERM: with which code it ended, and how long that took. */
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
