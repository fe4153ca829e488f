import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { type BuiltCommand, builtCommand, type Variant } from './build.ts';
import { unclearError } from './error-document.ts';
import { type HeldAnswers, holdAnswersOf } from './held-answers.ts';
import { canRunInProcess, runInProcess } from './in-process.ts';
import { wrongHints } from './mentions.ts';

/** Any JSON; what is in it is for the tests to find out. */
export interface Json {
  readonly [field: string]: Json;
  readonly [index: number]: Json;
}

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as JSON. */
  readonly json: Json;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Record<string, string | undefined>;
  readonly cwd?: string;
  /** Starts a process even if the file runs its commands in its own. */
  readonly ownProcess?: boolean;
}

export interface HarnessOptions {
  /** Runs commands in the process of the tests where that has the same result, which is much faster. */
  readonly inProcess?: boolean;
  /** Which command runs. */
  readonly variant?: Variant;
  /** Puts a server before the mock, for `hold`. */
  readonly holdsAnswers?: boolean;
}

/** How the paths of the operations end whose answers can be held. */
const pathEnds = { changeChat: '/chat/changes', addSeoKeywords: '/keywords', getAccount: '/me' } as const;

/** A request that the mock was sent. */
interface Received {
  readonly operation: string;
  readonly action: string | null;
  readonly resource: string | null;
  readonly applied: boolean;
}

export interface Ready {
  readonly event: string;
  readonly baseUrl: string;
  readonly controlUrl: string;
}

function collect(child: ChildProcess): Promise<Result> {
  const parts = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    parts.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    parts.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(toResult(code, parts)));
  });
}

function toResult(code: number | null, parts: { readonly stdout: string; readonly stderr: string }): Result {
  return {
    code,
    ...parts,
    get json() {
      return JSON.parse(parts.stdout) as Json;
    },
  };
}

/** The built command, run as a child process with folders of its own, and a mock to talk to. */
export class Harness {
  private readonly built: BuiltCommand;
  readonly command: string;
  ready: Ready | undefined;
  private made: string | undefined;
  private server: ChildProcess | undefined;
  private answers: HeldAnswers | undefined;

  constructor(private readonly options: HarnessOptions = {}) {
    this.built = builtCommand(options.variant);
    this.command = this.built.entry;
  }

  /** Made when it is first asked for: where tests are only listed, nothing would take it away. */
  get folder(): string {
    this.made ??= mkdtempSync(join(tmpdir(), 'orgchat-cli-'));
    return this.made;
  }

  get env(): Record<string, string | undefined> {
    const { PATH, HOME, NODE_OPTIONS } = process.env;
    return {
      PATH,
      HOME,
      // Every answer given in a test run is judged, those of the command's mock too.
      NODE_OPTIONS,
      ORGCHAT_STATE_DIR: join(this.folder, 'state'),
      ORGCHAT_CONFIG_DIR: join(this.folder, 'config'),
      ...(this.ready && {
        ORGCHAT_BASE_URL: this.ready.baseUrl,
        ORGCHAT_MOCK_URL: this.ready.controlUrl,
        ORGCHAT_API_KEY: 'demo-write-key',
      }),
    };
  }

  private environment(changed: RunOptions['env']): Record<string, string> {
    return Object.fromEntries(
      Object.entries({ ...this.env, ...changed }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    );
  }

  spawn(args: readonly string[], { env, cwd = this.folder }: RunOptions = {}): ChildProcess {
    return spawn(process.execPath, [this.command, ...args], { cwd, env: this.environment(env) });
  }

  /** Runs to the end. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Result> {
    const { env = {}, ownProcess = !this.options.inProcess } = options;
    const result =
      !ownProcess && canRunInProcess(args, env)
        ? await this.runHere(args, options)
        : await this.runProcess(args, options);
    // Whatever a test is about, no hint names a command or an option that is not there.
    const problems = [
      ...wrongHints(args, result.stderr, result.stdout),
      ...unclearError(args, result.stdout),
    ];
    if (problems.length > 0) throw new Error(`orgchat ${args.join(' ')}: ${problems.join('; ')}`);
    return result;
  }

  private runProcess(args: readonly string[], options: RunOptions): Promise<Result> {
    const child = this.spawn(args, options);
    child.stdin?.end(options.input ?? '');
    return collect(child);
  }

  private async runHere(args: readonly string[], options: RunOptions): Promise<Result> {
    const { env, cwd = this.folder, input = '' } = options;
    const run = { args, env: this.environment(env), cwd, input };
    const { code, ...parts } = await runInProcess(this.built, run);
    return toResult(code, parts);
  }

  /** A run of the command that is still in progress. */
  begin(args: readonly string[], options: RunOptions = {}): { child: ChildProcess; result: Promise<Result> } {
    const child = this.spawn(args, options);
    child.stdin?.end();
    return { child, result: collect(child) };
  }

  /** One call of the control API. */
  async control(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.ready?.controlUrl}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  /** The requests for an operation that the mock was sent, those that it still delays too. */
  async received(operation: string): Promise<Received[]> {
    const { requests } = (await this.control('GET', '/requests')) as { requests: Received[] };
    return requests.filter((request) => request.operation === operation);
  }

  async start(...args: string[]): Promise<void> {
    this.server = this.spawn(['mock', 'start', '--port', '0', '--rate-limit', 'off', '--json', ...args]);
    this.server.stderr?.resume();
    const [line] = await once(this.server);
    const ready = JSON.parse(line) as Ready;
    if (this.options.holdsAnswers) this.answers = await holdAnswersOf(ready.baseUrl);
    this.ready = { ...ready, ...(this.answers && { baseUrl: this.answers.baseUrl }) };
  }

  /** Keeps the answers to an operation back from now on, until the returned function is called, or the test ends. */
  hold(operation: keyof typeof pathEnds): () => void {
    if (this.answers === undefined) throw new Error('Use the option holdsAnswers.');
    const letGo = this.answers.hold(pathEnds[operation]);
    onTestFinished(letGo);
    return letGo;
  }

  async end(): Promise<void> {
    const { server } = this;
    this.answers?.close();
    if (server !== undefined && server.exitCode === null) {
      const gone = new Promise((resolve) => server.once('close', resolve));
      server.kill('SIGTERM');
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The command and a mock, which is as new for each test of a file. */
export function useCli(options?: HarnessOptions): Harness {
  const cli = new Harness(options);
  beforeAll(() => cli.start(), 60_000);
  afterAll(() => cli.end());
  beforeEach(() => cli.control('POST', '/reset'));
  return cli;
}

/** Waits until something is so. */
export async function until(met: () => Promise<boolean>): Promise<void> {
  while (!(await met())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The first line a child prints. */
export function once(child: ChildProcess): Promise<[line: string]> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) return reject(new Error('there is no stdout'));
    createInterface({ input: child.stdout }).once('line', (line) => resolve([line]));
    child.once('close', (code) => reject(new Error(`ended with ${code} before it printed a line`)));
  });
}
