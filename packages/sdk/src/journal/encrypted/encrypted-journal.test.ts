import fs from 'node:fs';
import { join } from 'node:path';
import { createMock } from '@orgchat/mock-server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import '../../../test-support/clock.ts';
import { claim, entry, target } from '../../../test-support/journals/journal-entries.ts';
import { journalFolder } from '../../../test-support/journals/journal-folder.ts';
import { getRejection } from '../../../test-support/rejection.ts';
import {
  applied,
  failure,
  json,
  lost,
  replayed,
  type Step,
  scripted,
} from '../../../test-support/servers/scripted.ts';
import { createClient, type OrgChatClient } from '../../index.ts';
import { fileJournal } from '../file/file-journal.ts';
import type { Journal, JournalEntry } from '../journal.ts';
import { memoryJournal } from '../memory.ts';
import { encryptedJournal } from './encrypted-journal.ts';

const [key, otherKey] = ['ab'.repeat(32), 'cd'.repeat(32)];
const taro = { name: 'Taro Yamada', color: 'pink' } as const;
const folder = journalFolder();

const open = (keys: Parameters<typeof encryptedJournal>[1] = key): Journal =>
  encryptedJournal(fileJournal(folder.dir), keys);
const here = (journal: Journal, ...steps: readonly Step[]) => scripted(steps, { journal, retry: false });
const onDisk = (): string =>
  folder
    .files()
    .map((file) => fs.readFileSync(join(folder.dir, file), 'utf8'))
    .join('\n');
/** The stored entries of a journal in memory, as its store has them. */
const listStored = async (journal: Journal): Promise<readonly JournalEntry[]> =>
  (await journal.list(target)).entries;

afterEach(() => void vi.useRealTimers());

describe('what is stored', () => {
  test('has nothing of the input, the answer and the error, at any time', async () => {
    const seen: string[] = [];
    const look =
      (step: Step): Step =>
      (request, body) => {
        seen.push(onDisk());
        return step(request, body);
      };
    const added = json({ added: ['hanako'], skipped: ['jiro'] });
    const refusal = failure(403, 'NO_ACCESS_FOR_SABURO');
    const { client } = here(open(), ...[applied, added, lost, refusal].map(look));
    await client.tags.create(taro, { intent: ['order of Taro Yamada'] });
    await client.keywords.add('demo-site', { keywords: ['hanako', 'jiro'] });
    await getRejection(client.tags.update({ id: 'a', revision: 'r', label: 'Shiro' }, taro));
    await getRejection(client.tags.create(taro));
    seen.push(onDisk());
    expect(folder.files()).toHaveLength(4);
    for (const text of seen) {
      expect(text).not.toMatch(/Taro|Yamada|pink|create-tags|hanako|jiro|Shiro|SABURO|req-403/);
      // A test that looks at no files would pass as well.
      expect(text).toMatch(/demo-site|chat\/changes/);
    }
    const operations = await client.operations.list();
    expect(operations.map(({ state }) => state)).toEqual(['applied', 'applied', 'unknown', 'refused']);
    expect(operations[0]?.change).toMatchObject({ data: taro });
    expect(operations[1]?.result).toEqual({ added: ['hanako'], skipped: ['jiro'] });
    expect(operations[3]?.error).toMatchObject({ code: 'NO_ACCESS_FOR_SABURO', status: 403 });
  });

  test('keeps what a journal decides by: whether a change has a revision, and whether it was stale', async () => {
    const store = memoryJournal();
    const journal = encryptedJournal(store, key);
    const guarded = entry({ body: '{"change":{"expectedRevision":"r","data":{"notes":"Taro"}}}' });
    const plain = entry({ fingerprint: 'Taro' });
    for (const one of [guarded, plain]) await journal.add(one);
    const error = { code: 'GONE_ELSEWHERE', meaning: 'staleRevision', requestId: 'r-1' } as const;
    await journal.settle({ ...guarded, state: 'refused', error });
    const [first, second] = await listStored(store);
    expect(first?.body).toContain('"expectedRevision"');
    expect(first?.error).toEqual({ code: 'ENCRYPTED', meaning: 'staleRevision' });
    expect(second?.body).not.toContain('"expectedRevision"');
    expect(second).not.toHaveProperty('fingerprint');
    expect(await listStored(journal)).toEqual([{ ...guarded, state: 'refused', error }, plain]);
  });
});

describe('a later process', () => {
  test('finishes what was open, byte for byte', async () => {
    const before = here(open(), lost);
    await getRejection(before.client.tags.create(taro));
    const after = here(open(), replayed);
    expect(await after.client.operations.resumeAll()).toMatchObject([{ state: 'applied', replayed: true }]);
    expect(after.sent[0]?.body).toBe(before.sent[0]?.body);
  });

  test('with new and old key reads what the old one encrypted, and writes with the new one', async () => {
    await getRejection(here(open(), lost).client.tags.create(taro));
    const { client } = here(open([otherKey, key]), replayed);
    await client.operations.resumeAll();
    expect(await here(open(otherKey)).client.operations.list()).toMatchObject([
      { state: 'applied', change: { data: taro } },
    ]);
  });
});

describe('without the right key', () => {
  const wrong = (...steps: readonly Step[]) => here(open(otherKey), ...steps);
  const message =
    /^Entry \S+ of the journal was encrypted with a key that was not given\. Pass that key as well/;

  test('nothing is sent, and nothing is lost', async () => {
    const intent = ['order', 17];
    const first = here(open(), lost);
    await getRejection(first.client.tags.create(taro, { intent }));
    const before = onDisk();

    const { client, sent } = wrong(applied);
    const error = await getRejection(client.tags.create(taro, { intent }));
    expect(error).toMatchObject({ code: 'JOURNAL_FAILED', reason: 'journal-entry-unusable' });
    expect(error.cause).toMatchObject({ message: expect.stringMatching(message) });
    const unusable = { code: 'JOURNAL_FAILED', reason: 'journal-entry-unusable', outcome: 'unknown' };
    expect(await client.operations.resumeAll()).toMatchObject([
      { operationId: error.operationId, kind: 'change', state: 'unknown', error: unusable },
    ]);
    await expect(client.operations.get(`${error.operationId}`)).rejects.toThrow(message);
    expect(sent).toHaveLength(0);
    expect(onDisk()).toBe(before);

    const again = here(open(), replayed);
    expect(await again.client.operations.resumeAll()).toMatchObject([{ state: 'applied' }]);
  });

  test('an entry is not left held by a claim that failed', async () => {
    const store = memoryJournal();
    const one = entry({ state: 'unknown' });
    await encryptedJournal(store, key).add(one);
    await encryptedJournal(store, key).settle(one);
    const hold = { token: 'theirs', deadline: one.deadline };
    await expect(encryptedJournal(store, otherKey).claim(one, hold)).rejects.toThrow(message);
    expect(claim(store, one)).toMatchObject({ state: 'unknown' });
  });

  test('a claim says so even if the store then fails', async () => {
    const store = memoryJournal();
    const one = entry({ state: 'unknown' });
    await encryptedJournal(store, key).add(one);
    await encryptedJournal(store, key).settle(one);
    const failing: Journal = {
      ...store,
      settle: () => {
        throw new Error('the disk is full');
      },
    };
    const hold = { token: 'theirs', deadline: one.deadline };
    await expect(encryptedJournal(failing, otherKey).claim(one, hold)).rejects.toThrow(message);
  });

  test('settled entries are problems of a list, and pages omit no other entry', async () => {
    const store = memoryJournal();
    const [ours, theirs] = [encryptedJournal(store, key), encryptedJournal(store, otherKey)];
    const all = Array.from({ length: 6 }, () => entry());
    for (const [n, one] of all.entries()) {
      const journal = n === 1 || n === 2 ? theirs : ours;
      await journal.add(one);
      await journal.settle({ ...one, state: 'applied' });
    }
    const readable = all.filter((_, n) => n !== 1 && n !== 2).map(({ operationId }) => operationId);
    const listed: string[] = [];
    let after: JournalEntry | undefined;
    do {
      const { entries } = await ours.list(target, { limit: 2, after });
      listed.push(...entries.map(({ operationId }) => operationId));
      after = entries[1];
    } while (after);
    expect(listed).toEqual(readable);
    const { problems } = await ours.list(target);
    expect(problems).toMatchObject([
      { location: all[1]?.operationId, reason: 'key' },
      { location: all[2]?.operationId, reason: 'key' },
    ]);
  });

  test('an entry can be removed', async () => {
    const store = memoryJournal();
    const one = entry();
    await encryptedJournal(store, key).add(one);
    expect(await encryptedJournal(store, otherKey).remove(one)).toBe(true);
  });
});

describe('a store that was changed', () => {
  test.each<[string, (a: JournalEntry, b: JournalEntry) => JournalEntry]>([
    ['the content of another entry', (a, b) => ({ ...a, body: b.body })],
    ['another path', (a) => ({ ...a, path: '/sites/other/keywords' })],
    ['another kind', (a) => ({ ...a, kind: 'keywords' })],
    [
      'a changed text',
      // The first character of the content: some bits of the last one mean nothing.
      (a) => ({
        ...a,
        body: a.body.replace(/\.(.)([^.]*)$/, (_, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`),
      }),
    ],
  ])('is noticed: %s', async (_what, change) => {
    const store = memoryJournal();
    const journal = encryptedJournal(store, key);
    const [a, b] = [entry(), entry()];
    for (const one of [a, b]) await journal.add(one);
    const [storedA, storedB] = await listStored(store);
    await store.settle(change(storedA ?? a, storedB ?? b));
    await expect(journal.get(a)).rejects.toThrow(/was changed after it was encrypted/);
    // It blocks no other entry: no key would make it readable.
    const { entries, problems } = await journal.list(target);
    expect(entries).toEqual([b]);
    expect(problems).toMatchObject([{ location: a.operationId, reason: 'truncated' }]);
  });
});

describe('entries that are not encrypted', () => {
  test('are refused, and read and encrypted if the journal accepts them', async () => {
    const plain = here(fileJournal(folder.dir), lost);
    await getRejection(plain.client.tags.create(taro));
    expect(onDisk()).toContain('Taro');

    const refused = here(open(), replayed);
    expect(await refused.client.operations.resumeAll()).toMatchObject([
      {
        state: 'unknown',
        error: { message: expect.stringMatching(/is not encrypted\. .*acceptUnencrypted/) },
      },
    ]);
    expect(refused.sent).toHaveLength(0);

    const journal = encryptedJournal(fileJournal(folder.dir), key, { acceptUnencrypted: true });
    expect(await here(journal, replayed).client.operations.resumeAll()).toMatchObject([{ state: 'applied' }]);
    expect(onDisk()).not.toContain('Taro');
    expect(await here(open()).client.operations.list()).toMatchObject([{ change: { data: taro } }]);
  });
});

test('a client without encryption sends nothing of an encrypted journal', async () => {
  const intent = ['order', 17];
  await getRejection(here(open(), lost).client.tags.create(taro, { intent }));
  const { client, sent } = here(fileJournal(folder.dir), applied);
  expect(await client.operations.resumeAll()).toMatchObject([
    { state: 'unknown', error: { code: 'JOURNAL_FAILED', message: expect.stringContaining('is encrypted') } },
  ]);
  expect(await getRejection(client.tags.create(taro, { intent }))).toMatchObject({ code: 'INPUT_CONFLICT' });
  expect(sent).toHaveLength(0);
  expect(await here(open(), replayed).client.operations.resumeAll()).toMatchObject([{ state: 'applied' }]);
});

test('one entry with another key is reported, and holds up no other', async () => {
  for (let n = 0; n < 4; n++) await getRejection(here(open(), lost).client.tags.create(taro));
  const other = await getRejection(here(open(otherKey), lost).client.tags.create(taro));
  const { client } = here(open(), replayed, replayed, replayed, replayed);
  expect(await client.operations.list({ open: true })).toHaveLength(4);
  expect(await client.operations.problems()).toMatchObject([
    { operationId: other.operationId, kind: 'change', reason: 'key' },
  ]);
  expect((await client.operations.resumeAll()).map(({ state }) => state)).toEqual([
    ...['applied', 'applied', 'applied', 'applied'],
    'unknown',
  ]);
});

test('keywords in an entry with another key are not imported again', async () => {
  const importWord = (client: OrgChatClient) => client.keywords.import('s', ['a']);
  expect(await importWord(here(open(), lost).client)).toMatchObject({ unknown: ['a'] });
  const { client, sent } = here(open(otherKey), json({ added: ['a'], skipped: [] }, 201));
  expect(await getRejection(importWord(client))).toMatchObject({
    code: 'JOURNAL_FAILED',
    message: expect.stringContaining('with a key that was not given'),
  });
  expect(sent).toHaveLength(0);
});

test('a client without encryption does not import keywords that may have been added', async () => {
  const importWord = (client: OrgChatClient) => client.keywords.import('s', ['a']);
  expect(await importWord(here(open(), lost).client)).toMatchObject({ unknown: ['a'] });
  const { client, sent } = here(fileJournal(folder.dir), json({ added: ['a'], skipped: [] }, 201));
  expect(await getRejection(importWord(client))).toMatchObject({
    code: 'JOURNAL_FAILED',
    message: expect.stringContaining('is encrypted'),
  });
  expect(sent).toHaveLength(0);
});

test('fake timers do not stop a call', async () => {
  vi.useFakeTimers();
  const mock = createMock({ rateLimit: 'off' });
  mock.faults.arm({ effect: 'respond', status: 500, operation: 'changeChat' });
  const client = createClient({
    apiKey: 'demo-write-key',
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    journal: open(),
  });
  const call = client.tags.create(taro, { intent: ['fake'] });
  await vi.runAllTimersAsync();
  expect(await call).toMatchObject({ applied: true });
  expect(mock.requests.list()).toHaveLength(2);
});

test.each<[string, unknown[]]>([
  ['no journal', [undefined, key]],
  ['a key in place of the journal', [key, key]],
  ['no key', [memoryJournal()]],
  ['an unknown option', [memoryJournal(), key, { acceptUnencryptd: true }]],
])('refuses %s', (_what, given) => {
  const create = encryptedJournal as (...all: unknown[]) => Journal;
  expect(() => create(...given)).toThrow(expect.objectContaining({ code: 'INVALID_OPTIONS' }));
});
