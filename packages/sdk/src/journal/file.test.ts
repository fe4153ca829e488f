import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { applied, lost, replayed, type Step, scripted } from '../../test-support/scripted.ts';
import { defaultJournalDir, fileJournal } from './file.ts';
import type { JournalEntry } from './journal.ts';
import { factsOf, isAlive, type Owner, thisProcess } from './owner.ts';

const vip = { name: 'VIP', color: 'pink' } as const;
const key = 'secret-key-0123456789';
let dir = '';
beforeEach(() => {
  dir = join(fs.mkdtempSync(join(tmpdir(), 'journal-')), 'made', 'on demand');
});

const here = (...steps: Parameters<typeof scripted>[0]) =>
  scripted(steps, { apiKey: key, journal: fileJournal(dir), retry: false });
const files = (): string[] => fs.readdirSync(dir);
const only = (): string => join(dir, files()[0] ?? '');
const stored = (): { entry: JournalEntry; owner?: Owner } => JSON.parse(fs.readFileSync(only(), 'utf8'));
const put = (value: unknown): void => fs.writeFileSync(only(), JSON.stringify(value));
const attempt = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('a file', () => {
  test('is its user’s alone, in a folder of its user alone', async () => {
    await here(applied).client.tags.create(vip);
    expect(files()).toHaveLength(1);
    expect(fs.statSync(only()).mode & 0o777).toBe(0o600);
    expect(fs.statSync(dir).mode & 0o777).toBe(0o700);
  });

  test('is there, whole, when the request leaves', async () => {
    let seen: unknown;
    const { client } = here((request, body) => {
      seen = stored().entry.body === body && stored().entry.state;
      return applied(request, body);
    });
    await client.tags.create(vip);
    expect(seen).toBe('pending');
    expect(stored()).toMatchObject({ entry: { state: 'applied', format: 1 } });
  });

  test('has no key in it', async () => {
    await attempt(here(lost).client.tags.create(vip));
    expect(fs.readFileSync(only(), 'utf8')).not.toContain(key);
    expect(files().join()).not.toContain(key);
  });
});

describe('the target', () => {
  test('of an entry is its base URL and key: nobody else sees or sends it', async () => {
    await attempt(here(lost).client.tags.create(vip, { intent: ['x'] }));
    for (const other of [{ apiKey: 'another-key-12345' }, { baseUrl: 'https://other.example.com/api/v1' }]) {
      const { client, sent } = scripted([applied], { apiKey: key, journal: fileJournal(dir), ...other });
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

/** An entry to the letter as format 1 has it. Where this can no longer be read, the format has another number. */
const ofFormat1 = {
  name: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21.8066bcbef5b390e7.json',
  body: '{"operationId":"6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21","change":{"action":"create-tags","data":{"name":"VIP","color":"pink"}}}',
  target: 'https://api.example.com/api/v1#5bd3180a8a88c05e397d522bc9979b4a',
};

test('an entry of format 1 from an earlier version is found and finished, byte for byte', async () => {
  const { name, body, target } = ofFormat1;
  const entry = `{"format":1,"operationId":"${name.slice(0, 36)}","target":"${target}","kind":"change","path":"/chat/changes","body":${JSON.stringify(body)},"state":"pending","createdAt":"2025-01-01T00:00:00.000Z","updatedAt":"2025-01-01T00:00:00.000Z","deadline":"2025-01-01T00:01:00.000Z","attempts":0}`;
  const owner = '{"host":"gone","boot":"gone","pid":1,"start":"1"}';
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  fs.writeFileSync(join(dir, name), `{"entry":${entry},"owner":${owner}}`, { mode: 0o600 });
  const { client, sent } = here(replayed);
  expect(await client.operations.resumeAll()).toMatchObject([
    { operationId: name.slice(0, 36), state: 'applied' },
  ]);
  expect(sent.map((request) => request.body)).toEqual([body]);
  expect(files()).toEqual([name]);
});

describe('what cannot be used', () => {
  test('is reported, never fatal, and left where it is', async () => {
    await attempt(here(lost).client.tags.create(vip));
    const good = files()[0] ?? '';
    const name = (n: number): string => `${`${n}`.repeat(8)}${good.slice(8)}`;
    const text = fs.readFileSync(only(), 'utf8');
    fs.writeFileSync(join(dir, name(1)), text.slice(0, 100));
    fs.writeFileSync(join(dir, name(2)), '');
    fs.writeFileSync(join(dir, name(3)), '{"hello":"world"}');
    fs.writeFileSync(join(dir, name(4)), text.replace('"format":1', '"format":2'));
    fs.writeFileSync(
      join(dir, name(5)),
      text.replace('"state":"pending"', '"state":"else"').replace('"unknown"', '"else"'),
    );
    fs.writeFileSync(join(dir, 'notes.txt'), 'Remember the milk');
    fs.mkdirSync(join(dir, name(6)));
    const before = files();
    const { client } = here(replayed);
    const problems = await client.operations.problems();
    expect(Object.fromEntries(problems.map(({ where, reason }) => [where.slice(0, 5), reason]))).toEqual({
      '11111': 'torn',
      '22222': 'torn',
      '33333': 'foreign',
      '44444': 'format',
      '55555': 'foreign',
      '66666': 'foreign',
      notes: 'foreign',
    });
    expect(await client.operations.resumeAll()).toMatchObject([{ state: 'applied' }]);
    expect(files()).toEqual(before);
  });

  test('is told to the listener', async () => {
    await here(applied).client.tags.create(vip);
    fs.writeFileSync(join(dir, 'notes.txt'), '');
    const events: unknown[] = [];
    const { client } = scripted([applied], {
      journal: fileJournal(dir),
      onEvent: (event) => events.push(event),
    });
    await client.operations.list();
    expect(events).toMatchObject([{ type: 'journal', problem: { where: 'notes.txt', reason: 'foreign' } }]);
  });

  test('does not stand in the way of an operation of the same name', async () => {
    await here(applied).client.tags.create(vip, { intent: ['x'] });
    fs.writeFileSync(only(), '{"ent');
    const { client } = here(replayed);
    expect(await client.tags.create(vip, { intent: ['x'] })).toMatchObject({ replayed: true });
    expect(files()).toHaveLength(2);
  });

  test.each([
    ['a keyword write, cut off', 'keywords', (text: string) => text.slice(0, 100)],
    [
      'a keyword write of a later version',
      'keywords',
      (text: string) => text.replace('"format":1', '"format":2'),
    ],
    ['a change of a later version', 'change', (text: string) => text.replace('"format":1', '"format":2')],
  ])('%s, is not sent again under its intent, and stays where it is', async (_name, kind, spoil) => {
    const write = (step: Step) => {
      const { client, sent } = here(step);
      const options = { intent: ['once'] };
      const over =
        kind === 'change'
          ? client.tags.create(vip, options)
          : client.keywords.add('site', { keywords: ['a'] }, options);
      return attempt(over).then((outcome) => ({ outcome, sent }));
    };
    await write(lost);
    const spoiled = spoil(fs.readFileSync(only(), 'utf8'));
    fs.writeFileSync(only(), spoiled);
    const { outcome, sent } = await write(applied);
    expect(outcome).toMatchObject({
      code: 'JOURNAL_FAILED',
      cause: { message: expect.stringContaining(`${files()}`) },
    });
    expect(sent).toHaveLength(0);
    expect(fs.readFileSync(only(), 'utf8')).toBe(spoiled);
  });

  test('a folder that others can read is said', async () => {
    fs.mkdirSync(dir, { recursive: true, mode: 0o755 });
    fs.chmodSync(dir, 0o755);
    expect(await here(applied).client.operations.problems()).toMatchObject([
      { where: dir, reason: 'permissions' },
    ]);
  });

  test('a folder that cannot be written stops the change before it is sent', async () => {
    fs.mkdirSync(join(dir, '..'), { recursive: true });
    fs.writeFileSync(dir, 'a file');
    const { client, sent } = here(applied);
    expect(await attempt(client.tags.create(vip))).toMatchObject({ code: 'JOURNAL_FAILED' });
    expect(sent).toHaveLength(0);
  });
});

describe('cleaning', () => {
  const age = (days: number): void => {
    const then = new Date(Date.now() - days * 86_400_000);
    put({ ...stored(), entry: { ...stored().entry, updatedAt: then.toISOString() } });
    fs.utimesSync(only(), then, then);
  };

  test('removes what was settled a week ago', async () => {
    await here(applied).client.tags.create(vip);
    age(6.9);
    expect(await here(applied).client.operations.list()).toHaveLength(1);
    age(7.1);
    expect(await here(applied).client.operations.list()).toHaveLength(0);
    expect(files()).toEqual([]);
  });

  test('keeps what is asked for, for another week', async () => {
    const write = () => here(applied, replayed).client.tags.create(vip, { intent: ['weekly'] });
    await write();
    age(7.1);
    await write();
    age(7.1);
    const { entry } = stored();
    expect(fileJournal(dir).get(entry)).toEqual(entry);
    expect(await here(applied).client.operations.list()).toHaveLength(1);
  });

  test('keeps what is not settled', async () => {
    await attempt(here(lost).client.tags.create(vip));
    age(365);
    expect(await here(applied).client.operations.list()).toHaveLength(1);
  });
});

describe('the holder of an entry', () => {
  const hold = (owner: Partial<Owner>, deadlineMs = 60_000): void => {
    const deadline = new Date(Date.now() + deadlineMs).toISOString();
    put({ entry: { ...stored().entry, state: 'pending', deadline }, owner: { ...thisProcess(), ...owner } });
  };
  const dead = spawnSync(process.execPath, ['-e', 'process.stdout.write(String(process.pid))']);
  const deadPid = Number(dead.stdout.toString());
  const state = async (): Promise<unknown> => (await here(replayed).client.operations.resumeAll())[0]?.state;

  test.each<[string, Partial<Owner>, number, string]>([
    ['this process, before its deadline', {}, 60_000, 'pending'],
    ['this process, long after its deadline', {}, -60_000, 'applied'],
    ['a living process', { pid: process.ppid, start: factsOf(process.ppid).start }, 60_000, 'pending'],
    ['a living process, known by its number alone', { pid: process.ppid, start: '' }, 60_000, 'pending'],
    ['such a process, long after its deadline', { pid: process.ppid, start: '' }, -60_000, 'applied'],
    ['an earlier process with the number of this one', { start: '1' }, 60_000, 'applied'],
    ['a dead process', { pid: deadPid }, 60_000, 'applied'],
    ['a process whose number another has now', { pid: process.ppid, start: '1' }, 60_000, 'applied'],
    ['a machine that was started again', { boot: 'before now' }, 60_000, 'applied'],
    ['another machine, before its deadline', { host: 'elsewhere', pid: deadPid }, 60_000, 'pending'],
    ['another machine, after its deadline', { host: 'elsewhere', pid: process.pid }, -60_000, 'applied'],
  ])('%s', async (_name, owner, deadlineMs, expected) => {
    if (process.platform !== 'linux' && _name.includes('number')) return;
    await attempt(here(lost).client.tags.create(vip));
    hold(owner, deadlineMs);
    expect(await state()).toBe(expected);
  });

  test('of two processes that follow a dead one, one succeeds', async () => {
    await attempt(here(lost).client.tags.create(vip));
    hold({ pid: deadPid });
    const { entry } = stored();
    const later = new Date(Date.now() + 60_000).toISOString();
    const claims = [fileJournal(dir), fileJournal(dir), fileJournal(dir)].map((one) =>
      one.claim(entry, later),
    );
    expect(claims.filter((claim) => claim !== 'held')).toHaveLength(1);
    expect(files()).toHaveLength(1);
  });

  test('a claim that a dead process left is no obstacle', async () => {
    await attempt(here(lost).client.tags.create(vip));
    hold({ pid: deadPid });
    const claim = `${only()}.claim`;
    fs.writeFileSync(claim, JSON.stringify({ ...thisProcess(), pid: deadPid }));
    expect(await state()).toBe('applied');
    expect(fs.existsSync(claim)).toBe(false);
  });

  test('a claim of a living process is respected, unless it is too old to be one', async () => {
    await attempt(here(lost).client.tags.create(vip));
    hold({ pid: deadPid });
    const claim = `${only()}.claim`;
    fs.writeFileSync(claim, JSON.stringify(thisProcess()));
    expect(await state()).toBe('pending');
    expect(await here(applied).client.operations.problems()).toEqual([]);
    const then = new Date(Date.now() - 60_000);
    fs.utimesSync(claim, then, then);
    expect(await state()).toBe('applied');
  });

  test('is alive when it is', () => {
    expect(isAlive(thisProcess())).toBe(true);
    expect(isAlive({ ...thisProcess(), pid: deadPid })).toBe(false);
    expect(isAlive({ ...thisProcess(), host: 'elsewhere' })).toBeUndefined();
  });
});

test('a folder is where it was when the journal was made, wherever the program goes', () => {
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(fs.mkdtempSync(join(tmpdir(), 'journal-')));
  const was = process.cwd();
  const journal = fileJournal('own');
  cwd.mockReturnValue(tmpdir());
  expect(journal.list('target')).toEqual({ entries: [], problems: [] });
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
