import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getThisProcess } from '@orgchat/atomic-files';
import { watch } from '@orgchat/atomic-files/test-support/file-system';
import { describe, expect, test, vi } from 'vitest';
import { entry } from '../../../test-support/journals/journal-entries.ts';
import { journalFolder } from '../../../test-support/journals/journal-folder.ts';
import { applied, lost, replayed, scripted } from '../../../test-support/servers/scripted.ts';
import { defaultJournalDir, fileJournal } from './file-journal.ts';
import { toDay } from './names.ts';

const vip = { name: 'VIP', color: 'pink' } as const;
const key = 'secret-key-0123456789';
const folder = journalFolder('made', 'on demand');
const { files, only, stored } = folder;

const here = (...steps: Parameters<typeof scripted>[0]) =>
  scripted(steps, { apiKey: key, journal: fileJournal(folder.dir), retry: false });
const attempt = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('a file', () => {
  test('can be read only by its user, in a folder of that user', async () => {
    await here(applied).client.tags.create(vip);
    expect(files()).toHaveLength(1);
    expect(fs.statSync(only()).mode & 0o777).toBe(0o600);
    expect(fs.statSync(folder.dir).mode & 0o777).toBe(0o700);
  });

  test('is complete when the request is sent', async () => {
    let seen: unknown;
    const { client } = here((request, body) => {
      seen = stored().entry.body === body && stored().entry.state;
      return applied(request, body);
    });
    await client.tags.create(vip);
    expect(seen).toBe('pending');
    expect(stored()).toMatchObject({ entry: { state: 'applied', format: 2 } });
  });

  test('has no key in it', async () => {
    await attempt(here(lost).client.tags.create(vip));
    expect(fs.readFileSync(only(), 'utf8')).not.toContain(key);
    expect(files().join()).not.toContain(key);
  });
});

describe('the target', () => {
  test('an entry belongs to its base URL and key: no other client sees or sends it', async () => {
    await attempt(here(lost).client.tags.create(vip, { intent: ['x'] }));
    for (const other of [{ apiKey: 'another-key-12345' }, { baseUrl: 'https://other.example.com/api/v1' }]) {
      const { client, sent } = scripted([applied], {
        apiKey: key,
        journal: fileJournal(folder.dir),
        ...other,
      });
      expect(await client.operations.list()).toEqual([]);
      expect(await client.operations.resumeAll()).toEqual([]);
      expect(sent).toHaveLength(0);
      await client.tags.create(vip, { intent: ['x'] });
    }
    expect(files()).toHaveLength(3);
    const again = here(replayed);
    expect(await again.client.operations.resumeAll()).toMatchObject([{ state: 'applied', replayed: true }]);
  });
});

/** An entry exactly as format 1 has it. If it can no longer be read, the format needs another number. */
const ofFormat1 = {
  name: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21.8066bcbef5b390e7.json',
  body: '{"operationId":"6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21","change":{"action":"create-tags","data":{"name":"VIP","color":"pink"}}}',
  target: 'https://api.example.com/api/v1#5bd3180a8a88c05e397d522bc9979b4a',
};

test('an entry of format 1 from an earlier version is found and finished, byte for byte', async () => {
  const { name, body, target } = ofFormat1;
  const entry = `{"format":1,"operationId":"${name.slice(0, 36)}","target":"${target}","kind":"change","path":"/chat/changes","body":${JSON.stringify(body)},"state":"pending","createdAt":"2025-01-01T00:00:00.000Z","updatedAt":"2025-01-01T00:00:00.000Z","deadline":"2025-01-01T00:01:00.000Z","attempts":0}`;
  const owner = '{"host":"gone","boot":"gone","pid":1,"start":"1"}';
  fs.mkdirSync(folder.dir, { recursive: true, mode: 0o700 });
  fs.writeFileSync(join(folder.dir, name), `{"entry":${entry},"owner":${owner}}`, { mode: 0o600 });
  const { client, sent } = here(replayed);
  expect(await client.operations.resumeAll()).toMatchObject([
    { operationId: name.slice(0, 36), state: 'applied' },
  ]);
  expect(sent.map((request) => request.body)).toEqual([body]);
  expect(files()).toEqual([join('settled', toDay(Date.now()), name)]);
});

test('a relative folder does not move if the program changes its working directory', async () => {
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(fs.mkdtempSync(join(tmpdir(), 'journal-')));
  const was = process.cwd();
  const journal = fileJournal('own');
  cwd.mockReturnValue(tmpdir());
  expect(await journal.list('target')).toEqual({ entries: [], problems: [] });
  cwd.mockRestore();
  expect(fs.existsSync(join(was, 'own'))).toBe(true);
});

test('the default folder follows the conventions of the system', () => {
  vi.stubEnv('XDG_STATE_HOME', '/state');
  if (process.platform !== 'win32') expect(defaultJournalDir()).toBe('/state/orgchat/journal');
  vi.stubEnv('XDG_STATE_HOME', '');
  if (process.platform !== 'win32') expect(defaultJournalDir()).toMatch(/\.local\/state\/orgchat\/journal$/);
  vi.stubEnv('LOCALAPPDATA', '/Users/me/AppData/Local');
  const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  expect(defaultJournalDir()).toBe(join('/Users/me/AppData/Local', 'orgchat', 'journal'));
  platform.mockRestore();
  vi.unstubAllEnvs();
});

test('says what to do if its folder cannot be created', () => {
  const parent = join(fs.mkdtempSync(join(tmpdir(), 'journal-')), 'file');
  fs.writeFileSync(parent, '');
  const journal = fileJournal(join(parent, 'journal'));
  expect(() => journal.add(entry())).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(
        /^The directory .+ of the journal cannot be created: ENOTDIR.* Pass another directory to fileJournal\(\)\.$/,
      ),
      cause: expect.objectContaining({ code: 'ENOTDIR' }),
    }),
  );
});

test('lists problems in the order of their files', async () => {
  const journal = fileJournal(folder.dir);
  await journal.list('target');
  const names = ['c', 'a', 'd', 'b'].map((name) => `${name}.txt`);
  for (const name of names) fs.writeFileSync(join(folder.dir, name), '');
  const { problems } = await journal.list('target');
  expect(problems.map(({ location }) => location)).toEqual(names.sort());
});

describe('an entry that is added twice', () => {
  test('is held by the same call, if the reply to the first add was lost', () => {
    const journal = fileJournal(folder.dir);
    const one = entry();
    expect(journal.add(one)).toBe(true);
    expect(journal.add(one)).toBe(true);
    expect(files()).toHaveLength(1);
  });

  test('is not held by a call with another token, and by none after it was settled', () => {
    const journal = fileJournal(folder.dir);
    const one = entry();
    journal.add(one);
    expect(journal.add({ ...one, token: 'another' })).toBe(false);
    for (const state of ['unknown', 'applied'] as const) {
      journal.settle({ ...one, state });
      expect(journal.add(one)).toBe(false);
      expect(journal.get(one)).toMatchObject({ state });
      journal.claim(one, { token: one.token ?? '', deadline: one.deadline });
    }
  });

  test('is not held without a token, because nothing shows whose it is', () => {
    const journal = fileJournal(folder.dir);
    const { token: _, ...one } = entry();
    expect(journal.add(one)).toBe(true);
    expect(journal.add(one)).toBe(false);
  });
});

test('a settled entry that another process takes at the same moment is not taken twice', () => {
  const journal = fileJournal(folder.dir);
  const one = entry();
  journal.add(one);
  const open = only();
  journal.settle({ ...one, state: 'applied' });
  const owner = { ...getThisProcess(), host: 'elsewhere' };
  const theirs = JSON.stringify({ entry: { ...one, token: 'theirs' }, owner });
  const { linkSync } = fs;
  watch('linkSync', (from, to) => {
    if (to === open) fs.writeFileSync(open, theirs, { flag: 'wx' });
    linkSync(from, to);
  });
  const heldUntil = new Date(Date.parse(one.deadline) + 5_000).toISOString();
  expect(journal.claim(one, { token: 'own', deadline: one.deadline })).toEqual({ heldUntil });
  expect(fs.readFileSync(open, 'utf8')).toBe(theirs);
});
