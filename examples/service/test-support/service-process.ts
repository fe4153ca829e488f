import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** A command of the service that ended. `code` is null if it was killed. */
export interface EndedCommand {
  readonly code: number | null;
  readonly stdout: string;
}

/** Starts a command of the service that ends by itself. `onStart` gets its process. */
export async function runCommand(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  onStart: (pid: number) => Promise<void> | void = () => {},
): Promise<EndedCommand> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = Promise.all([text(child.stdout), once(child, 'exit')]);
  await onStart(child.pid ?? 0);
  const [stdout, [code]] = await ended;
  return { stdout, code: code as number | null };
}

/** The webhook of the service in a process of its own. It is started again whenever it dies. */
export class WebhookProcess {
  readonly #program: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #onLife: (pid: number) => Promise<void>;
  #child: ChildProcess | undefined;
  #port: Promise<number>;
  #isEnding = false;
  deaths = 0;

  /** `onLife` prepares each life, with its process, before anything is delivered to it. */
  constructor(program: string, env: NodeJS.ProcessEnv, onLife: (pid: number) => Promise<void>) {
    this.#program = program;
    this.#env = env;
    this.#onLife = onLife;
    this.#port = this.#start();
    this.#port.catch(() => {});
  }

  async #start(): Promise<number> {
    const child = spawn(process.execPath, [this.#program, 'serve'], {
      env: { ...process.env, ...this.#env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#child = child;
    child.once('exit', (_code, signal) => {
      if (this.#isEnding || signal !== 'SIGKILL') return;
      this.deaths++;
      this.#port = this.#start();
      this.#port.catch(() => {});
    });
    const exit = once(child, 'exit');
    const lines = createInterface({ input: child.stdout });
    const [line] = (await Promise.race([once(lines, 'line'), exit.then(() => [])])) as [string?];
    if (line === undefined) {
      // Killed by a request that it made before it listened. The listener above has started the next life.
      if (child.signalCode === 'SIGKILL') return this.#port;
      throw new Error(`The service ended with ${child.exitCode} before it listened`);
    }
    await this.#onLife(child.pid ?? 0);
    return (JSON.parse(line) as { port: number }).port;
  }

  /** Kills the present life. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Resolves with the port once deliveries are accepted. */
  async ready(): Promise<number> {
    return this.#port;
  }

  /** Kills it for good. */
  abandon(): void {
    this.#isEnding = true;
    this.kill();
  }

  /** Ends it as a platform does, and returns its exit code. */
  async end(): Promise<number | null> {
    this.#isEnding = true;
    const child = this.#child as ChildProcess;
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  }
}
