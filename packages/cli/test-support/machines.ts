import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMock, type Listening, type Mock } from '@orgchat/mock-server';
import { builtCommand } from './build.ts';
import { unclearError } from './error-document.ts';
import type { Json } from './harness.ts';
import { wrongHints } from './mentions.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as JSON. */
  readonly json: Json;
}

/** A run of the command on a machine. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** A machine: a home and a state directory of its own. */
export interface Machine {
  readonly folder: string;
  readonly state: string;
  /** What the next command gets on standard input. */
  input: string;
  begin(...args: string[]): Running;
  run(...args: string[]): Promise<Ended>;
}

/** Machines with one mock of the API, and one journal, which are the same for all of them. */
export interface Machines {
  readonly mock: Mock;
  readonly baseUrl: string;
  /** Adds a machine; `env` overrides its variables. */
  add(env?: NodeJS.ProcessEnv): Machine;
  end(): Promise<void>;
}

export async function createMachines(
  journal: string,
  command: string = builtCommand().entry,
): Promise<Machines> {
  const root = mkdtempSync(join(tmpdir(), 'machines-'));
  const mock = createMock({ rateLimit: 'off' });
  const http: Listening = await mock.listen({ port: 0 });
  const children = new Set<ChildProcess>();
  let count = 0;

  function add(more: NodeJS.ProcessEnv = {}): Machine {
    const folder = join(root, `${count++}`);
    const state = join(folder, 'state');
    mkdirSync(state, { recursive: true });
    const { PATH, NODE_OPTIONS } = process.env;
    const env = {
      ...{ PATH, NODE_OPTIONS, HOME: folder },
      ORGCHAT_STATE_DIR: state,
      ORGCHAT_CONFIG_DIR: join(folder, 'config'),
      ORGCHAT_BASE_URL: http.baseUrl,
      ORGCHAT_API_KEY: 'demo-write-key',
      ORGCHAT_JOURNAL: journal,
      ...more,
    };
    function begin(...args: string[]): Running {
      const child = spawn(process.execPath, [command, ...args], { cwd: folder, env });
      children.add(child);
      child.stdin.end(machine.input);
      const parts = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const)
        child[name].setEncoding('utf8').on('data', (text: string) => {
          parts[name] += text;
        });
      const ended = new Promise<Ended>((resolve) =>
        child.once('close', (code) => {
          children.delete(child);
          resolve({ code, ...parts, json: parts.stdout === '' ? {} : (JSON.parse(parts.stdout) as Json) });
        }),
      );
      return { child, ended };
    }
    async function run(...args: string[]): Promise<Ended> {
      const ended = await begin(...args, '--json', '--pacing', 'off').ended;
      const problems = [...wrongHints(args, ended.stderr, ended.stdout), ...unclearError(args, ended.stdout)];
      if (problems.length > 0) throw new Error(`orgchat ${args.join(' ')}: ${problems.join('; ')}`);
      return ended;
    }
    const machine: Machine = { folder, state, input: '', begin, run };
    return machine;
  }

  return {
    mock,
    baseUrl: http.baseUrl,
    add,
    async end() {
      for (const child of children) child.kill('SIGKILL');
      await http.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
