/*
 * What the command costs before it does anything, beside a bare `node -e 0` in the same rounds:
 * `npx tsx bench/cli/start.ts`, after `npm run build --workspace @orgchat/cli`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { command } from '../support/places.ts';
import { difference, ratio, rounds, type Spread, spreadOf } from '../support/rounds.ts';
import { wholeRun } from '../support/spawned.ts';

async function startMock(...args: string[]) {
  const child = spawn(
    process.execPath,
    [command, 'mock', 'start', '--port', '0', '--rate-limit', 'off', '--json', ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const { baseUrl } = JSON.parse(line) as { baseUrl: string };
    return { child, baseUrl };
  }
  throw new Error('the mock ended before it was ready');
}

async function stop(child: ReturnType<typeof spawn>): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Milliseconds from the start of the process to the end of its first answer. */
async function firstAnswer(): Promise<number> {
  const begun = performance.now();
  const { child, baseUrl } = await startMock();
  const response = await fetch(`${baseUrl}/me`, { headers: { Authorization: 'Bearer demo-read-key' } });
  await response.text();
  const taken = performance.now() - begun;
  await stop(child);
  return taken;
}

const server = await startMock();
process.env.ORGCHAT_BASE_URL = server.baseUrl;
process.env.ORGCHAT_API_KEY = 'demo-read-key';
const figures = await rounds(
  {
    node: () => wholeRun('-e', '0'),
    version: () => wholeRun(command, '--version'),
    help: () => wholeRun(command, '--help'),
    'tags create --help': () => wholeRun(command, 'tags', 'create', '--help'),
    'tags list': () => wholeRun(command, 'tags', 'list'),
    'mock start, first answer': firstAnswer,
  },
  { rounds: 25, warmUp: 2 },
);
await stop(server.child);

const shown = ({ min, median, max }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
const { node } = figures;
console.log(`node -e 0: ${shown(spreadOf(node), 0)} ms`);
for (const [name, taken] of Object.entries(figures)) {
  if (name === 'node') continue;
  const more = shown(difference(taken, node), 0);
  console.log(`${name}: ${shown(spreadOf(taken), 0)} ms, ${more} ms more, × ${shown(ratio(taken, node), 2)}`);
}
