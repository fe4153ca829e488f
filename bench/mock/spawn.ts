import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const runner = fileURLToPath(new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url));

export interface Server {
  readonly port: number;
  stop(): void;
}

/** Starts a server in a process of its own; its first line of output is its port. */
export async function start(script: string, args: readonly string[] = [], input?: object): Promise<Server> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ['--import', runner, path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (input !== undefined) child.stdin?.write(`${JSON.stringify(input)}\n`);
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.once('data', (line: Buffer) => resolve(Number(line.toString())));
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  return { port, stop: () => child.kill('SIGKILL') };
}
