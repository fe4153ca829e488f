import type { ChildProcess } from 'node:child_process';
import { type Harness, once, type RunOptions } from './harness.ts';

export interface Started {
  readonly child: ChildProcess;
  readonly ready: { readonly baseUrl: string; readonly controlUrl: string; readonly url: string };
  readonly stop: () => Promise<string>;
}

/** A mock that runs until it is stopped; `stop` resolves to what it said on stderr. */
export async function startMock(
  cli: Harness,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Started> {
  const { child, result } = cli.begin(['mock', 'start', '--port', '0', '--json', ...args], options);
  const [line] = await once(child);
  const stop = async (): Promise<string> => {
    child.kill('SIGTERM');
    return (await result).stderr;
  };
  return { child, ready: JSON.parse(line) as Started['ready'], stop };
}
