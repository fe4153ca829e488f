import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMock, type Listening, type Mock } from '@orgchat/mock-server';
import { createClient, type FriendRef, OutcomeUnknownError, type TemplateInput } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import { codeMeanings } from '@orgchat/spec';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, recipesOf, root } from '../../test-support/cookbook.ts';
import { compileFiles } from '../../test-support/page-code.ts';

/* The recipes of docs/cookbook.md compile, run as printed, and keep what they promise when they run twice. */

const recipes = recipesOf('ts');

type Webhook = { handleSignup(event: { id: string; friend: FriendRef }): Promise<number> };
type Route = { POST(request: Request): Promise<Response> };
type Queue = { work(job: { id: string; name: string }): Promise<string> };
type Keywords = { importKeywords(site: string, name: string, keywords: string[]): Promise<string[]> };
type Sync = { syncTemplates(rows: TemplateInput[]): Promise<boolean> };
type Submissions = { appendSubmissions(formId: string, file: string): Promise<number> };
type Lambda = { handler(event: { id: string; name: string }): Promise<void> };

let loads = 0;
let mock: Mock;
let server: Listening;
let folder: string;

beforeAll(async () => {
  mock = createMock({ rateLimit: 'off' });
  // Below the root, where the packages are found as a user finds them.
  folder = await mkdtemp(join(root, 'node_modules/.cookbook-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, code] of recipes) {
    await writeFile(join(folder, `${name}.ts`), code.replace('/data/journal', join(folder, 'data')));
  }
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  mock.reset();
  // An address of its own, so that the pacing of one test does not make another one wait.
  server = await mock.listen({ port: 0 });
  vi.stubEnv('ORGCHAT_API_KEY', 'demo-write-key');
  vi.stubEnv('ORGCHAT_BASE_URL', server.baseUrl);
  vi.stubEnv('XDG_STATE_HOME', await mkdtemp(join(folder, 'state-')));
  for (const method of ['log', 'error'] as const) vi.spyOn(console, method).mockReturnValue();
});
afterEach(async () => {
  await server.close();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** What the recipe printed. */
const said = (): string[] => vi.mocked(console.log).mock.calls.map(([line]) => String(line));

/** Loads a recipe as a new process would: with a client of its own, and the journal that the last run left. */
async function load<Exports>(name: string): Promise<Exports> {
  loads += 1;
  return (await import(/* @vite-ignore */ `${join(folder, name)}.ts?load=${loads}`)) as Exports;
}

/** How many changes the mock applied. */
const applied = (): number => mock.requests.list().filter((request) => request.applied === true).length;

/** Whether the mock has answered the newest request. */
const requestsAreOver = (): boolean => mock.requests.list().at(-1)?.status !== null;

describe('a recipe of the cookbook', () => {
  it('compiles', async () => {
    expect(recipes.size).toBe(15);
    const files = [...recipes.keys()].map((name) => `${name}.ts`);
    expect(await compileFiles(folder, files)).toBe('');
  }, 60_000);

  /** A friend to enroll, and the environment that the webhook reads. */
  async function prepareWebhook(): Promise<FriendRef> {
    const client = createClient();
    const [scenario] = (await client.scenarios.list({ limit: 1 })).records;
    vi.stubEnv('WELCOME_SCENARIO_ID', scenario?.id ?? '');
    const [friend] = (await client.friends.list({ limit: 1 })).records;
    if (!friend) throw new Error('The demo organization has no friends.');
    return friend;
  }

  it('webhook: an event that is delivered again is applied once', async () => {
    const event = { id: 'evt_1', friend: await prepareWebhook() };
    mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
    for (const { handleSignup } of [await load<Webhook>('webhook'), await load<Webhook>('webhook')]) {
      expect(await handleSignup(event)).toBe(204);
      expect(await handleSignup(event)).toBe(204);
    }
    expect(applied()).toBe(1);
  });

  it('webhook: an unknown outcome asks for another delivery', async () => {
    const event = { id: 'evt_2', friend: await prepareWebhook() };
    mock.faults.arm({ effect: 'uncertain', operation: 'changeChat', resolve: { afterRequests: 1 } });
    const { handleSignup } = await load<Webhook>('webhook');
    expect(await handleSignup(event)).toBe(503);
    expect(await handleSignup(event)).toBe(204);
    expect(applied()).toBe(1);
  });

  it.each([
    ['RUNTIME_UNAVAILABLE', 4],
    ['ASLEEP', 1],
  ])('webhook and queue: nothing is lost while the runtime is down (404 %s)', async (error, attempts) => {
    const event = { id: 'evt_3', friend: await prepareWebhook() };
    const { handleSignup } = await load<Webhook>('webhook');
    const { work } = await load<Queue>('queue');
    const job = { id: 'job_5', name: 'Patient' };
    const times = 2 * attempts;
    mock.faults.arm({ effect: 'respond', operation: 'changeChat', status: 404, error, times });
    expect(await Promise.all([handleSignup(event), work(job)])).toEqual([503, 'retry']);
    for (let n = 0; n < 2; n++) expect([await handleSignup(event), await work(job)]).toEqual([204, 'done']);
    expect(applied()).toBe(2);
  });

  it('webhook: an event that can never be applied is final', async () => {
    const friend = { ...(await prepareWebhook()), userId: `U${'0'.repeat(32)}` };
    expect(await (await load<Webhook>('webhook')).handleSignup({ id: 'evt_4', friend })).toBe(422);
  });

  it('webhook and queue: what the SDK refuses is final, and nothing is sent', async () => {
    const { accountId } = await prepareWebhook();
    const { handleSignup } = await load<Webhook>('webhook');
    const { work } = await load<Queue>('queue');
    const before = mock.requests.list().length;
    expect(await handleSignup({ id: 'evt_5', friend: { accountId } as FriendRef })).toBe(422);
    expect(await work({ name: 'No id' } as Parameters<Queue['work']>[0])).toBe('failed');
    expect(mock.requests.list()).toHaveLength(before);
  });

  it('webhook: the route answers 401 to a body that is not signed, and passes on the others', async () => {
    vi.stubEnv('WEBHOOK_SECRET', 'whsec_test');
    const body = JSON.stringify({ id: 'evt_6', friend: await prepareWebhook() });
    const { POST } = await load<Route>('webhook-route');
    const post = async (signature: string): Promise<number> => {
      const headers = { 'x-signature': signature };
      return (await POST(new Request('https://shop.example/', { method: 'POST', headers, body }))).status;
    };
    const signature = createHmac('sha256', 'whsec_test').update(body).digest('hex');
    expect([await post(''), await post('0'.repeat(64)), await post(`${signature}0`)]).toEqual([401, 401, 401]);
    expect(applied()).toBe(0);
    expect([await post(signature), await post(signature)]).toEqual([204, 204]);
    expect(applied()).toBe(1);
  });

  it.each([
    ['webhook', 'WELCOME_SCENARIO_ID'],
    ['webhook-route', 'WEBHOOK_SECRET'],
  ])('%s: does not start without %s', async (name, variable) => {
    await prepareWebhook();
    vi.stubEnv(variable, '');
    await expect(load(name)).rejects.toThrow(`Set ${variable}.`);
  });

  it('sync: creates, updates and deletes, and a second run changes nothing', async () => {
    const { syncTemplates } = await load<Sync>('sync');
    const client = createClient();
    const others = (await client.templates.list().toArray()).length;
    await client.templates.create({ name: 'Hours', text: 'old' });
    const rows = ['Hours', 'Address'].map((name) => ({ name, text: `${name} of the shop` }));
    mock.faults.arm({
      effect: 'respond',
      operation: 'changeChat',
      status: 403,
      error: 'FORBIDDEN',
      times: 1,
    });
    expect(await syncTemplates(rows)).toBe(true);
    const names = (await client.templates.list().toArray()).map(({ name, text }) => ({ name, text }));
    expect(new Set(names)).toEqual(new Set(rows));
    expect(applied()).toBe(3 + others);
    expect(await syncTemplates(rows)).toBe(true);
    expect(applied()).toBe(3 + others);
    await expect(syncTemplates([])).rejects.toThrow('at least one row');
  });

  it('submissions: each is a line of the file once, and no cell is a formula', async () => {
    const { appendSubmissions } = await load<Submissions>('submissions');
    const client = createClient();
    const [form] = (await client.forms.list({ limit: 1 })).records;
    const [first, second] = form?.fields ?? [];
    if (!form || !first || !second) throw new Error('The demo organization has no form with two fields.');
    const file = join(folder, 'submissions.csv');
    const submit = (one: string, other: string) =>
      mock.inject.submission(form.id, { values: { [first.key]: one, [second.key]: other } });
    const had = (await client.forms.submissions(form.id)).records.length;
    expect(await appendSubmissions(form.id, file)).toBe(had);
    submit('Ann "the first"', 'a');
    submit('=HYPERLINK("https://example.com")', 'b');
    expect(await appendSubmissions(form.id, file)).toBe(2);
    expect(await appendSubmissions(form.id, file)).toBe(0);
    const lines = (await readFile(file, 'utf8')).split('\r\n');
    expect(lines).toHaveLength(had + 4);
    expect(lines.slice(-3)).toEqual([
      expect.stringContaining('"Ann ""the first""","a"'),
      expect.stringContaining(`"'=HYPERLINK(""https://example.com"")","b"`),
      '',
    ]);
    for (let n = 0; n < 51; n++) submit('later', 'c');
    expect(await appendSubmissions(form.id, file)).toBe(50);
    expect(vi.mocked(console.error).mock.lastCall).toEqual([
      'Older submissions are not shown. Run this more often.',
    ]);
    await client.forms.edit(form.id, (data) => ({ ...data, fields: data.fields.slice(0, 1) }));
    await expect(appendSubmissions(form.id, file)).rejects.toThrow('other fields');
  });

  it('keywords: a lost batch is reported and never sent again', async () => {
    const words = Array.from({ length: 120 }, (_, n) => `word ${n + 1}`);
    const sent = (): number =>
      mock.requests.list().filter(({ operation }) => operation === 'addSeoKeywords').length;
    mock.faults.arm({ effect: 'lose-response', operation: 'addSeoKeywords', after: 1 });
    for (const _run of ['first', 'second']) {
      const { importKeywords } = await load<Keywords>('keywords');
      expect(await importKeywords('demo-site', 'spring', words)).toEqual(words.slice(50, 100));
      expect(sent()).toBe(3);
    }
  });

  it('queue: a retried job is applied once, and a refused one fails', async () => {
    mock.faults.arm({ effect: 'uncertain', operation: 'changeChat', resolve: { afterRequests: 1 } });
    const { work } = await load<Queue>('queue');
    expect(await work({ id: 'job_1', name: 'Queued' })).toBe('retry');
    expect(await work({ id: 'job_1', name: 'Queued' })).toBe('done');
    expect(applied()).toBe(1);
    expect(await work({ id: 'job_2', name: '' })).toBe('failed');
  });

  it('queue: a job is retried while the journal cannot be written', async () => {
    const file = join(folder, 'not-a-folder');
    await writeFile(file, '');
    vi.stubEnv('XDG_STATE_HOME', file);
    const { work } = await load<Queue>('queue');
    expect(await work({ id: 'job_4', name: 'Unrecorded' })).toBe('retry');
    expect(applied()).toBe(0);
  });

  async function startInboxBot() {
    const end = new AbortController();
    const { watchInbox } = await load<{ watchInbox(signal: AbortSignal): Promise<void> }>('inbox-bot');
    return { end, ended: watchInbox(end.signal).catch((error: unknown) => error) };
  }

  /** Lets the bot work until something is so. */
  async function watchUntil(isOver: () => boolean): Promise<void> {
    const { end, ended } = await startInboxBot();
    await vi.waitUntil(isOver, { timeout: 10_000 });
    end.abort();
    expect(await ended).toMatchObject({ code: 'ABORTED' });
  }

  const conversationReads = (): number =>
    mock.requests.list().filter(({ resource }) => resource === 'conversations').length;

  /** Lets the bot work for one more round. */
  async function watchOneRound(): Promise<void> {
    const before = conversationReads();
    await watchUntil(() => conversationReads() > before && requestsAreOver());
  }

  /** Lets the bot begin; what comes after it is new. Returns a client, and a friend who writes. */
  async function beginInbox() {
    const client = createClient();
    const friend = await client.friends.list().first();
    if (!friend) throw new Error('the demo has no friends');
    const cursor = join(process.env.XDG_STATE_HOME ?? '', 'orgchat/cursors/inbox.json');
    await watchUntil(() => existsSync(cursor) && readFileSync(cursor, 'utf8').includes('startedAt'));
    return { client, friend };
  }

  it('inbox-bot: a message that was handled before an abort is not handled again', async () => {
    const { client, friend } = await beginInbox();
    mock.inject.message(friend, { text: 'Are you open today?' });
    await watchUntil(() => applied() === 1);
    await watchOneRound();
    expect((await client.friends.get(friend)).notes?.match(/Are you open today\?/g)).toHaveLength(1);
    expect(applied()).toBe(1);
  });

  it('inbox-bot: what no later attempt can change is reported, and no notes are lost', async () => {
    const { client, friend } = await beginInbox();
    const fits = '\u{1F600}'.repeat(1_990);
    const id = `${friend.accountId}/${friend.userId}`;
    mock.edit({ resource: 'friends', id, data: { notes: 'Ask Ann.' } });
    mock.faults.arm({ effect: 'respond', status: 404, error: 'NOT_FOUND', resource: 'friends', times: 1 });
    for (const text of ['Nobody', `${fits}++`, fits]) mock.inject.message(friend, { text });
    await watchUntil(() => applied() === 2);
    await watchOneRound();
    expect((await client.friends.get(friend)).notes).toBe(`Ask Ann.\n${fits}`);
    const reported = vi.mocked(console.error).mock.calls.map(([what]) => what);
    expect(reported).toEqual(['The friend is gone:', 'The notes are full:']);
  });

  it('inbox-bot: a 404 whose code is not known does not say that the friend is gone', async () => {
    const { client, friend } = await beginInbox();
    mock.faults.arm({ effect: 'respond', status: 404, error: 'ASLEEP', resource: 'friends', times: 1 });
    mock.inject.message(friend, { text: 'Are you open today?' });
    expect(await (await startInboxBot()).ended).toMatchObject({ code: 'ASLEEP' });
    await watchUntil(() => applied() === 1);
    expect((await client.friends.get(friend)).notes).toContain('Are you open today?');
  });

  it('cron: the second run of a day finds the work done', async () => {
    await load('cron');
    expect(said()).toEqual(['Created.']);
    await load('cron');
    expect(said()).toEqual(['Created.', 'Already there.']);
    expect(applied()).toBe(1);
  });

  it('lambda: a retried event is applied once, without a journal that survives', async () => {
    for (const { handler } of [await load<Lambda>('lambda'), await load<Lambda>('lambda')]) {
      await handler({ id: 'evt_1', name: 'Lambda' });
    }
    expect(applied()).toBe(1);
  });

  it('kubernetes: the next pod resumes what was left in the volume', async () => {
    const journal = fileJournal(join(folder, 'data'));
    mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
    const first = createClient({ journal, retry: false });
    await expect(first.tags.create({ name: 'Pod', color: 'blue' })).rejects.toThrow(OutcomeUnknownError);
    await load('kubernetes');
    expect(await first.operations.list()).toMatchObject([{ state: 'applied' }]);
  });

  it('logging: prints one line per call', async () => {
    await load('logging');
    expect(said().map((line) => JSON.parse(line))).toMatchObject([
      { operation: 'readChat', outcome: 'applied', attempts: 1 },
    ]);
  });
});

describe('the cookbook', () => {
  it('has its recipes in the order of its contents', () => {
    const headings = Array.from(page.matchAll(/^## (.+)$/gm), ([, heading = '']) => heading).slice(1);
    const contents = Array.from(page.matchAll(/^- \[([^\]]+)\]\(#[^)]+\): /gm), ([, title = '']) => title);
    expect(headings).toEqual(contents);
  });
});

describe('troubleshooting by error code', () => {
  const table = page.slice(page.indexOf('## Troubleshooting'));

  it('names every default code of the server', () => {
    const known = Object.values(codeMeanings).map(({ code }) => code);
    // These are answered to mistakes of the caller's code or of the server alone.
    const left = ['KEYWORD_LIMIT_EXCEEDED', 'METHOD_NOT_ALLOWED', 'INTERNAL_ERROR'];
    const missing = known.filter((code) => !left.includes(code) && !table.includes(`\`${code}\``));
    expect(missing).toEqual([]);
  });
});
