/*
 * The command with much to do: 100,000 friends as a stream, and the configuration of 2,000 records exported and
 * planned. `npx tsx bench/cli/bulk.ts`, after `npm run build --workspace @orgchat/cli`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { command } from '../support/places.ts';
import { outputOf, wholeRun } from '../support/spawned.ts';

const friends = 100_000;
const records = 2_000;
const folder = mkdtempSync(join(tmpdir(), 'orgchat-bench-'));
process.env.ORGCHAT_STATE_DIR = join(folder, 'state');

type Organization = Record<string, unknown[]>;
const seed = JSON.parse(await outputOf([command, 'mock', 'seed'], folder)) as {
  organizations: Organization[];
};
const [organization] = seed.organizations;
if (organization === undefined) throw new Error('the seed has no organization');
organization.friends = Array.from({ length: friends }, (_, index) => ({
  userId: `friend-${index}`,
  accountId: 'shop',
  displayName: `Friend ${index}`,
  status: 'unread',
  notes: null,
  tagIds: [],
}));
organization.templates = Array.from({ length: records }, (_, index) => ({
  name: `Template ${index}`,
  text: `Text ${index}`,
}));
for (const form of [...(organization.forms ?? []), ...(organization.links ?? [])] as Record<
  string,
  unknown
>[]) {
  delete form.submissions;
  delete form.clicks;
}
for (const name of ['forms', 'links']) organization[name] = organization[name] ?? [];
const file = join(folder, 'seed.json');
writeFileSync(file, JSON.stringify(seed));

const limits = ['--rate-limit', 'off', '--monthly-limit', 'off'];
const server = spawn(
  process.execPath,
  [command, 'mock', 'start', '--port', '0', '--seed', file, '--json', ...limits],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
process.env.ORGCHAT_BASE_URL = (JSON.parse(line) as { baseUrl: string }).baseUrl;
process.env.ORGCHAT_API_KEY = 'demo-write-key';

/** The heap after each full collection while friends are streamed, in megabytes. */
async function heapWhileStreaming(limit: number): Promise<{ lines: number; ms: number; live: number[] }> {
  const begun = performance.now();
  const args = [
    '--trace-gc',
    '--max-old-space-size=64',
    command,
    'friends',
    'list',
    '--limit',
    String(limit),
  ];
  const child = spawn(process.execPath, [...args, '--format', 'ndjson', '--pacing', 'off', '--quiet'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let lines = 0;
  const live: number[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const collected = /Mark-Compact.*? -> (\d+(?:\.\d+)?)/.exec(text);
    if (collected) live.push(Number(collected[1]));
    else if (text.startsWith('{')) lines++;
  }
  return { lines, ms: Math.round(performance.now() - begun), live };
}

try {
  for (const limit of [friends / 10, friends]) {
    const { lines, ms, live } = await heapWhileStreaming(limit);
    console.log(
      `${lines} friends in ${ms} ms; live after a collection: ${live.at(0)} MB first, ${live.at(-1)} MB last, ${Math.max(...live)} MB at most`,
    );
  }
  const config = join(folder, 'orgchat.yaml');
  const exported = await wholeRun(command, 'config', 'export', '-o', config, '--pacing', 'off', '--quiet');
  const planned = await wholeRun(command, 'config', 'plan', config, '--pacing', 'off', '--quiet');
  console.log(
    `${records} records: exported in ${Math.round(exported)} ms, planned in ${Math.round(planned)} ms, in ${records / 50} pages each`,
  );
} finally {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
