import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, OutcomeUnknownError, type TemplateInput } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import { codeMeanings } from '@orgchat/spec';
import { describe, expect, it, vi } from 'vitest';
import { page, recipesOf } from '../../test-support/cookbook.ts';
import { compileFiles } from '../../test-support/page-code.ts';
import { useRecipePrograms } from '../../test-support/recipe-programs.ts';

/* The recipes of docs/cookbook.md compile, run as printed, and keep what they promise when they run twice. */

const recipes = recipesOf('ts');

type Queue = { work(job: { id: string; name: string }): Promise<string> };
type Keywords = { importKeywords(site: string, name: string, keywords: string[]): Promise<string[]> };
type Sync = { syncTemplates(rows: TemplateInput[]): Promise<boolean> };
type Submissions = { appendSubmissions(formId: string, file: string): Promise<number> };
type Lambda = { handler(event: { id: string; name: string }): Promise<void> };

const { mock, folder, load, applied } = useRecipePrograms();

/** What the recipe printed. */
const said = (): string[] => vi.mocked(console.log).mock.calls.map(([line]) => String(line));

/** Whether the mock has answered the newest request. */
const requestsAreOver = (): boolean => mock.requests.list().at(-1)?.status !== null;

describe('a recipe of the cookbook', () => {
  it('compiles', async () => {
    expect(recipes.size).toBe(14);
    const files = [...recipes.keys()].map((name) => `${name}.ts`);
    expect(await compileFiles(folder, files)).toBe('');
  }, 60_000);

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
    await watchUntil(() => applied() === 1);
    await watchOneRound();
    // A message without room leaves its intent unused, so that it can be noted if it comes again.
    expect(applied()).toBe(1);
    expect((await client.friends.get(friend)).notes).toBe(`Ask Ann.\n${fits}`);
    const reported = vi.mocked(console.error).mock.calls.map(([what, why]) => [what, why.constructor.name]);
    const what = expect.stringMatching(/^Not noted: \S+:$/);
    expect(reported).toEqual([
      [what, 'NotFoundError'],
      [what, 'NotesFull'],
    ]);
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
