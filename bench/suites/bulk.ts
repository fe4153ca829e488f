import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { demoSeed } from '@orgchat/mock-server';
import { command } from '../support/paths.ts';
import { rounds } from '../support/rounds.ts';
import { against, figure, type Group, type Row, type Suite } from '../support/row.ts';
import { wholeRun } from '../support/run-node.ts';
import { startMock } from '../support/servers.ts';

const group: Group = {
  title: 'CLI: large organizations',
  about:
    'Live heap of the command while it prints many friends. Duration of an export and of a plan for a large organization, compared with the time that a limit of 60 requests per minute would take for as many pages.',
};
const friends = 100_000;
const records = 2_000;
const pace = ['--pacing', 'off', '--quiet'];

/** The demo organization with many friends and many templates. */
function largeSeed(): object {
  const [organization] = demoSeed.organizations;
  const many = {
    friends: Array.from({ length: friends }, (_, n) => ({
      userId: `friend-${n}`,
      accountId: 'shop',
      displayName: `Friend ${n}`,
    })),
    templates: Array.from({ length: records }, (_, n) => ({ name: `Template ${n}`, text: `Text ${n}` })),
    // These refer to friends of the demo.
    forms: [],
    links: [],
  };
  return { ...demoSeed, organizations: [{ ...organization, ...many }] };
}

/** Megabytes of live heap at the last full collection while `count` friends were streamed. */
async function liveWhileStreaming(count: number): Promise<number> {
  const what = ['friends', 'list', '--limit', String(count), '--format', 'ndjson', ...pace];
  const args = ['--trace-gc', '--max-old-space-size=64', command, ...what];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = 0;
  let live = Number.NaN;
  for await (const line of createInterface({ input: child.stdout })) {
    const collected = /Mark-Compact.*? -> (\d+(?:\.\d+)?)/.exec(line)?.[1];
    if (collected !== undefined) live = Number(collected);
    else if (line.startsWith('{')) lines++;
  }
  if (lines !== count) throw new Error(`The list had ${lines} of ${count} friends.`);
  return live;
}

/** Milliseconds, compared with the time of the same reads at 60 requests per minute. */
async function timed(what: string, args: readonly string[]): Promise<Row> {
  const pages = Math.ceil(records / 50);
  const { ours } = await rounds({ ours: () => wholeRun([command, ...args, ...pace]) }, { rounds: 5 });
  const paced = ours.map(() => pages * 1000);
  const peer = `${pages} pages at 60 per minute`;
  return against({ group, what, unit: 'ms', ours, target: { atMost: 1 } }, '×', peer, paced);
}

export const suite: Suite = {
  name: 'bulk',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'orgchat-bench-'));
    const seed = join(folder, 'seed.json');
    const file = join(folder, 'orgchat.yaml');
    writeFileSync(seed, JSON.stringify(largeSeed()));
    const mock = await startMock('--seed', seed);
    process.env.ORGCHAT_BASE_URL = mock.baseUrl;
    process.env.ORGCHAT_API_KEY = 'demo-write-key';
    process.env.XDG_STATE_HOME = folder;
    try {
      const { many, few } = await rounds(
        { many: () => liveWhileStreaming(friends), few: () => liveWhileStreaming(friends / 10) },
        { rounds: 3, warmUp: 0 },
      );
      const streamed = 'friends list, 100,000 streamed: live heap';
      const memory = { group, what: streamed, unit: 'MB', ours: many, target: { atMost: 1.5 } } as const;
      return [
        against(memory, '×', 'with 10,000', few),
        await timed('config export of 2,000 records', ['config', 'export', '-o', file, '--yes']),
        await timed('config plan of 2,000 records', ['config', 'plan', file]),
        figure({ group, what: 'memory of the server with them', unit: 'MB', ours: [await mock.memory()] }),
      ];
    } finally {
      await mock.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
