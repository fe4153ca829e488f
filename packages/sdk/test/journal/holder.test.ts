import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { uptime } from 'node:os';
import { getThisProcess, isAlive, type ProcessIdentity, readProcessFacts } from '@orgchat/atomic-files';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fileJournal } from '../../src/journal/file/file-journal.ts';
import type { JournalEntry } from '../../src/journal/journal.ts';
import { claim, entry } from '../../test-support/journals/journal-entries.ts';
import { journalFolder, later } from '../../test-support/journals/journal-folder.ts';
import {
  applied,
  failure,
  lost,
  replayed,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';

/* Who may hold an entry, and until when. */

const vip = { name: 'VIP', color: 'pink' } as const;
const folder = journalFolder();
const { files, only, stored, put, here } = folder;

const attempt = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('the holder of an entry', () => {
  const hold = (owner: Partial<ProcessIdentity>, deadlineMs = 60_000): void => {
    const deadline = new Date(Date.now() + deadlineMs).toISOString();
    put({
      entry: { ...stored().entry, state: 'pending', deadline },
      owner: { ...getThisProcess(), ...owner },
    });
  };
  const dead = spawnSync(process.execPath, ['-e', 'process.stdout.write(String(process.pid))']);
  const deadPid = Number(dead.stdout.toString());
  const state = async (): Promise<unknown> => (await here(replayed).client.operations.resumeAll())[0]?.state;

  test.each<[string, Partial<ProcessIdentity>, number, string]>([
    ['this process, before its deadline', {}, 60_000, 'pending'],
    ['this process, long after its deadline', {}, -60_000, 'applied'],
    [
      'a living process',
      { pid: process.ppid, start: readProcessFacts(process.ppid).start },
      60_000,
      'pending',
    ],
    ['a living process, known by its number alone', { pid: process.ppid, start: '' }, 60_000, 'pending'],
    ['such a process, long after its deadline', { pid: process.ppid, start: '' }, -60_000, 'applied'],
    ['an earlier process with the number of this one', { start: '1' }, 60_000, 'applied'],
    ['a dead process', { pid: deadPid }, 60_000, 'applied'],
    ['a process whose number another has now', { pid: process.ppid, start: '1' }, 60_000, 'applied'],
    ['another machine with the same name, before its deadline', { boot: 'another' }, 60_000, 'pending'],
    ['such a machine, after its deadline', { boot: 'another' }, -60_000, 'applied'],
    ['another machine, before its deadline', { host: 'elsewhere', pid: deadPid }, 60_000, 'pending'],
    ['another machine, after its deadline', { host: 'elsewhere', pid: process.pid }, -60_000, 'applied'],
  ])('%s', async (_name, owner, deadlineMs, expected) => {
    if (process.platform !== 'linux' && _name.includes('number')) return;
    await attempt(here(lost).client.tags.create(vip));
    hold(owner, deadlineMs);
    expect(await state()).toBe(expected);
  });

  test.runIf(process.platform === 'linux')(
    'on another machine with the same name is respected, also if this one was started after it wrote the entry',
    async () => {
      await attempt(here(lost).client.tags.create(vip));
      hold({ boot: 'another' });
      const startedAt = Date.now() / 1000 - uptime();
      fs.utimesSync(only(), startedAt - 1, startedAt - 1);
      expect(await state()).toBe('pending');
    },
  );

  test('of two processes that take over from a dead one, one succeeds', async () => {
    await attempt(here(lost).client.tags.create(vip));
    hold({ pid: deadPid });
    const { entry } = stored();
    const claims = [fileJournal(folder.dir), fileJournal(folder.dir), fileJournal(folder.dir)].map((one) =>
      claim(one, entry),
    );
    expect(claims.filter((claim) => claim !== 'held')).toHaveLength(1);
    expect(files()).toHaveLength(1);
  });

  test('a lock that a dead process left does not block', async () => {
    await attempt(here(lost).client.tags.create(vip));
    hold({ pid: deadPid });
    const lock = `${only()}.lock`;
    fs.writeFileSync(lock, JSON.stringify({ ...getThisProcess(), pid: deadPid }));
    expect(await state()).toBe('applied');
    expect(fs.existsSync(lock)).toBe(false);
  });

  test('respects the lock of a living process, unless it is too old to be one', async () => {
    await attempt(here(lost).client.tags.create(vip));
    hold({ pid: deadPid });
    const lock = `${only()}.lock`;
    fs.writeFileSync(lock, JSON.stringify(getThisProcess()));
    expect(await state()).toBe('pending');
    expect(await here(applied).client.operations.problems()).toEqual([]);
    const then = new Date(Date.now() - 60_000);
    fs.utimesSync(lock, then, then);
    expect(await state()).toBe('applied');
  });

  test('is alive if its process is', () => {
    expect(isAlive(getThisProcess())).toBe(true);
    expect(isAlive({ ...getThisProcess(), pid: deadPid })).toBe(false);
    expect(isAlive({ ...getThisProcess(), host: 'elsewhere' })).toBeUndefined();
  });
});

describe('the last moment', () => {
  test('of a hold is five seconds after the deadline of its call', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const one = entry({ deadline: new Date(Date.now() + 60_000).toISOString() });
    const journal = fileJournal(folder.dir);
    journal.add(one);
    vi.advanceTimersByTime(65_000);
    expect(claim(journal, one)).toBe('held');
    vi.advanceTimersByTime(1);
    expect(claim(journal, one)).toMatchObject({ operationId: one.operationId });
  });

  test('does not come early when the clock is changed', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const journal = fileJournal(folder.dir);
    const [one, two] = [entry(), entry({ state: 'unknown' })];
    journal.add(one);
    journal.add(two);
    journal.settle(two);
    expect(claim(journal, two, new Date(Date.now() + 60_000).toISOString())).toMatchObject({
      state: 'unknown',
    });
    vi.setSystemTime(Date.now() + 3_600_000);
    // Also for another client of this process.
    for (const held of [one, two]) {
      expect(claim(journal, held)).toBe('held');
      expect(claim(fileJournal(folder.dir), held)).toBe('held');
    }
    journal.settle({ ...one, state: 'applied' });
    expect(journal.get(one)).toMatchObject({ state: 'applied' });
  });
});

describe('a holder that comes late', () => {
  /** What another process did with an entry after the deadline of its holder. */
  const takenOver: readonly [string, (entry: JournalEntry) => object][] = [
    ['settled it', (entry) => ({ entry: { ...entry, state: 'applied', token: 'theirs' } })],
    [
      'has it in progress',
      (entry) => ({
        entry: { ...entry, deadline: later(), token: 'theirs' },
        owner: { ...getThisProcess(), host: 'elsewhere' },
      }),
    ],
  ];

  test.each(takenOver)('does not change the entry if another process %s', (_what, made) => {
    const journal = fileJournal(folder.dir);
    const one = entry();
    for (const state of ['refused', 'unknown', 'applied', 'abandoned'] as const) {
      journal.add(one);
      put(made(one));
      const theirs = fs.readFileSync(only(), 'utf8');
      expect(journal.settle({ ...one, state })).toBe(false);
      // It is theirs from now on.
      expect(journal.settle({ ...one, state })).toBe(false);
      expect(fs.readFileSync(only(), 'utf8')).toBe(theirs);
      expect(claim(journal, one)).toEqual(
        theirs.includes('elsewhere') ? 'held' : expect.objectContaining({ state: 'applied' }),
      );
      fs.rmSync(only());
    }
  });

  test.each(takenOver)('reports its outcome, and the problem, if another process %s', async (_what, made) => {
    const events: unknown[] = [];
    let theirs = '';
    const answer: Step = (request, body) => {
      put(made(stored().entry));
      theirs = fs.readFileSync(only(), 'utf8');
      return failure(403, 'FORBIDDEN')(request, body);
    };
    const { client } = scripted([answer], {
      journal: fileJournal(folder.dir),
      onEvent: (event) => events.push(event),
    });
    expect(await attempt(client.tags.create(vip))).toMatchObject({ code: 'FORBIDDEN' });
    const problem = {
      reason: 'write',
      message: expect.stringContaining('another process has the operation'),
    };
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'journal', problem: expect.objectContaining(problem) }),
    );
    expect(fs.readFileSync(only(), 'utf8')).toBe(theirs);
  });
});
