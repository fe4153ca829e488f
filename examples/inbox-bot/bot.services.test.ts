import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMock, type Listening } from '@orgchat/mock-server';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

const kills = 30;
const mock = createMock({ rateLimit: 'off' });
const friends = mock.records({ resource: 'friends' }).records.slice(0, 5);
let [listening, folder]: [Listening | undefined, string] = [undefined, ''];

beforeAll(async () => {
  listening = await mock.listen({ port: 0 });
  folder = mkdtempSync(join(tmpdir(), 'inbox-bot-'));
  // As one file, it starts in a fraction of the time.
  buildSync({
    entryPoints: [fileURLToPath(new URL('./bot.ts', import.meta.url))],
    outfile: join(folder, 'bot.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['orgchat-source'],
  });
});
afterAll(async () => {
  await listening?.close();
  rmSync(folder, { recursive: true, force: true });
});

const noted: string[] = [];
const reported: string[] = [];
function start(): ChildProcess {
  const bot = spawn(process.execPath, [join(folder, 'bot.mjs')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ORGCHAT_BASE_URL: listening?.baseUrl,
      ORGCHAT_API_KEY: 'demo-write-key',
      STATE_DIR: join(folder, 'state'),
      EVERY_MS: '50',
    },
  });
  bot.stdout?.setEncoding('utf8').on('data', (text: string) => noted.push(...text.trim().split('\n')));
  bot.stderr?.setEncoding('utf8').on('data', (text: string) => reported.push(text));
  return bot;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Starts a bot whose first round is over: it has read the conversations again. */
async function startAndBegin(): Promise<ChildProcess> {
  const countReads = (): number =>
    mock.requests.list().filter(({ resource }) => resource === 'conversations').length;
  const before = countReads();
  const bot = start();
  await until(() => countReads() > before + 1);
  return bot;
}

async function end(bot: ChildProcess): Promise<void> {
  bot.kill('SIGKILL');
  await once(bot, 'close');
}

/** How often the notes have each message. */
function countNotes(message = /^message \d+$/gm): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { notes } of mock.records({ resource: 'friends' }).records)
    for (const line of `${notes ?? ''}`.match(message) ?? []) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Kills a bot when the server has handled so many of its requests; the answer to the last one does not arrive. */
async function endAfter(requests: number, bot: ChildProcess): Promise<void> {
  let left = requests;
  const kill = (): void => {
    if (--left === 0) bot.kill('SIGKILL');
  };
  const closed = once(bot, 'close');
  subscribe('orgchat.mock.answer', kill);
  await closed;
  unsubscribe('orgchat.mock.answer', kill);
}

/** How many changes were sent by more than one bot: their events were delivered again. */
function countSentAgain(): number {
  const ids = mock.requests.list().flatMap(({ operationId }) => operationId ?? []);
  return new Set(ids.filter((id, index) => ids.indexOf(id) !== index)).size;
}

it('notes each message once, although it is killed 30 times and events are delivered again', async () => {
  await end(await startAndBegin());
  const messages: string[] = [];
  for (let n = 0; n < kills; n++) {
    messages.push(`message ${n}`);
    const { accountId, userId } = friends[n % friends.length] ?? {};
    mock.inject.message({ accountId: `${accountId}`, userId: `${userId}` }, { text: `message ${n}` });
    await endAfter(3 + ((n * 5) % 11), start());
  }
  const last = start();
  await until(() => messages.every((message) => countNotes().has(message)));
  await end(last);
  const counts = [...countNotes().values()];
  const lost = messages.length - counts.length;
  const doubled = counts.filter((count) => count > 1).length;
  const sentAgain = countSentAgain();
  console.log(
    `${kills} kills, ${messages.length} messages, ${noted.length} deliveries handled, ${sentAgain} changes sent again: ${lost} lost, ${doubled} doubled`,
  );
  expect([lost, doubled]).toEqual([0, 0]);
  expect(sentAgain).toBeGreaterThan(0);
}, 120_000);

it('shortens no notes, and ends at a 404 whose code is not known', async () => {
  const [friend] = friends;
  const [accountId, userId] = [`${friend?.accountId}`, `${friend?.userId}`];
  const notes = 'x'.repeat(1_995);
  mock.edit({ resource: 'friends', id: `${accountId}/${userId}`, data: { notes } });
  const bot = await startAndBegin();
  mock.inject.message({ accountId, userId }, { text: 'too long' });
  await until(() => reported.join('').includes('the notes have no room for it'));
  const closed = once(bot, 'close');
  mock.faults.arm({ effect: 'respond', status: 404, error: 'ASLEEP', resource: 'friends', times: 1 });
  mock.inject.message({ accountId, userId }, { text: 'late' });
  expect(await closed).toEqual([1, null]);
  expect(reported.join('')).toContain('ASLEEP');
  const again = start();
  await until(() => countNotes(/^late$/gm).get('late') === 1);
  await end(again);
  expect(mock.records({ resource: 'friends' }).records.some((one) => one.notes === `${notes}\nlate`)).toBe(
    true,
  );
}, 60_000);

it('notes a message without what notes may not contain', async () => {
  const { accountId, userId } = friends[1] ?? {};
  const bot = await startAndBegin();
  mock.inject.message({ accountId: `${accountId}`, userId: `${userId}` }, { text: 'half \ud83d of\0 it' });
  await until(() => countNotes(/^half \ufffd of it$/gm).size === 1);
  await end(bot);
}, 60_000);
