import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { entry, fails, target, unwatch, watch } from '../../test-support/file-system.ts';
import { fileJournal } from './file.ts';
import type { JournalEntry } from './journal.ts';
import { type Owner, thisProcess } from './owner.ts';
import { digestOf } from './whole-files.ts';

/* A journal among other processes, other files and the rests of dead ones. */

let dir = '';
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(unwatch);

const files = (): string[] => fs.readdirSync(dir);
const only = (): string => join(dir, files()[0] ?? '');
const later = (): string => new Date(Date.now() + 3_600_000).toISOString();
/** An entry that nobody holds. */
function free(): JournalEntry {
  const journal = fileJournal(dir);
  const one = entry({ state: 'unknown' });
  journal.add(one);
  journal.settle(one);
  return one;
}

test('a list is in the order of time, however the folder has its files', () => {
  const journal = fileJournal(dir);
  const all = Array.from({ length: 8 }, () => entry());
  for (const one of [...all].reverse()) journal.add(one);
  expect(journal.list(target)).toEqual({ entries: all, problems: [] });
});

describe('a folder that others work in', () => {
  test('may lose a file between the list and the look', () => {
    const one = free();
    const names = [`${crypto.randomUUID()}.0123456789abcdef.json`, ...files()];
    watch('readdirSync', () => names);
    expect(fileJournal(dir).list(target)).toEqual({ entries: [one], problems: [] });
  });

  test('may go altogether, and is made again', () => {
    const journal = fileJournal(dir);
    journal.add(entry());
    fs.rmSync(dir, { recursive: true });
    const one = entry();
    expect(journal.add(one)).toBe(true);
    expect(journal.list(target)).toEqual({ entries: [one], problems: [] });
  });

  test('keeps an entry removed that another process removed', () => {
    const journal = fileJournal(dir);
    const one = entry();
    journal.add(one);
    expect(fileJournal(dir).remove(one)).toBe(true);
    journal.settle({ ...one, state: 'applied' });
    expect(files()).toEqual([]);
  });

  /** Something happens between the look at an entry and the claim of it. */
  function meanwhile(happens: (path: string) => void): void {
    const { linkSync } = fs;
    const path = only();
    watch('linkSync', (from, to) => {
      linkSync(from, to);
      happens(path);
    });
  }
  const other: Owner = { ...thisProcess(), pid: process.ppid, start: '7' };

  test.each<[string, 'held' | undefined, (path: string) => void]>([
    ['is removed', undefined, (path) => fs.rmSync(path)],
    ['is garbled', undefined, (path) => fs.writeFileSync(path, '{"ent')],
    [
      'is taken by another process',
      'held',
      (path) => {
        fs.writeFileSync(
          path,
          JSON.stringify({ ...JSON.parse(fs.readFileSync(path, 'utf8')), owner: other }),
        );
      },
    ],
  ])('an entry that %s between the look and the claim is not taken', (_name, found, happens) => {
    const one = free();
    meanwhile(happens);
    expect(fileJournal(dir).claim(one, later())).toBe(found);
    expect(files().filter((name) => name.endsWith('.claim'))).toEqual([]);
  });

  test('an entry that passes from one dead process to another meanwhile is not taken', () => {
    const one = free();
    const [first, second] = [
      { ...other, pid: 2 ** 30 },
      { ...other, pid: 2 ** 30 + 1 },
    ];
    const path = only();
    const content = JSON.parse(fs.readFileSync(path, 'utf8')) as object;
    fs.writeFileSync(path, JSON.stringify({ ...content, owner: first }));
    meanwhile(() => fs.writeFileSync(path, JSON.stringify({ ...content, owner: second })));
    expect(fileJournal(dir).claim(one, later())).toBe('held');
  });
});

describe('cleaning', () => {
  const old = (path: string, days = 30): void => {
    const then = new Date(Date.now() - days * 86_400_000);
    fs.utimesSync(path, then, then);
  };

  test('happens once, with the first settlement, and opens nothing that was written lately', () => {
    for (let n = 0; n < 3; n++) free();
    const before = files();
    const list = watch('readdirSync');
    const read = watch('readFileSync');
    const journal = fileJournal(dir);
    for (let n = 0; n < 3; n++) {
      const one = entry();
      journal.add(one);
      journal.settle({ ...one, state: 'applied' });
    }
    expect(list).toHaveBeenCalledTimes(1);
    const opened = read.mock.calls.map(([path]) => String(path));
    expect(before.filter((name) => opened.includes(join(dir, name)))).toEqual([]);
  });

  test('with the first settlement removes what was settled long ago', () => {
    const updatedAt = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const journal = fileJournal(dir);
    const one = entry({ updatedAt, state: 'applied' });
    journal.add(one);
    journal.settle(one);
    old(only());
    const second = entry();
    const next = fileJournal(dir);
    next.add(second);
    next.settle(second);
    expect(next.get(one)).toBeUndefined();
    expect(next.get(second)).toEqual(second);
  });

  test('goes by what an entry says, not by its file alone', () => {
    const journal = fileJournal(dir);
    const one = entry({ state: 'applied' });
    journal.add(one);
    journal.settle(one);
    old(only());
    expect(fileJournal(dir).list(target)).toMatchObject({ entries: [one] });
  });

  test('leaves alone what it cannot read, however old', () => {
    free();
    fs.writeFileSync(only(), '{"ent');
    old(only());
    expect(fileJournal(dir).list(target)).toMatchObject({ entries: [], problems: [{ reason: 'torn' }] });
    expect(files()).toHaveLength(1);
  });

  test('is not needed after a settlement that failed: it leaves nothing but what was there', () => {
    const one = free();
    const before = files();
    const journal = fileJournal(dir);
    const held = journal.claim(one, later());
    watch('renameSync', fails('EIO'));
    expect(() => journal.settle({ ...one, state: 'applied' })).toThrow('EIO');
    expect(files()).toEqual(before);
    expect(fileJournal(dir).list(target)).toEqual({ entries: [held], problems: [] });
  });

  /** The draft of a process of this machine, or of a container that shares the folder. */
  const draft = (
    name: string,
    pid: number,
    where = digestOf(`${thisProcess().host} ${thisProcess().boot}`),
  ) => `${name}.${pid}.${where.slice(0, 8)}-0a1b2c3d-0.tmp`;

  test('removes what a dead process left half written, and nothing of a living one', () => {
    free();
    const [name = ''] = files();
    const dead = [
      draft(name, 2 ** 30),
      draft(`${name}.claim`, 2 ** 30),
      draft(`${name}.0123456789abcdef.claim`, 2 ** 30),
    ];
    const living = [
      draft(name, process.ppid),
      draft(name, process.pid),
      // A process whose number means nothing here.
      draft(name, 2 ** 30, 'abcdef01'),
      `${name}.${2 ** 30}.mfx1a2b3-0.tmp`,
      `${name}.claim`,
      draft(`${name}.claim`, process.ppid),
    ];
    for (const file of [...dead, ...living]) fs.writeFileSync(join(dir, file), '{"ent');
    expect(fileJournal(dir).list(target)).toMatchObject({ problems: [] });
    expect(files().sort()).toEqual([name, ...living].sort());
  });

  test('removes drafts of any process once nobody can be at work on them, and claims beside nothing', () => {
    free();
    const [name = ''] = files();
    const gone = `${crypto.randomUUID()}${name.slice(36)}`;
    const elsewhere = draft(name, 2 ** 30, 'abcdef01');
    const young = [`${gone}.0123456789abcdef.claim`];
    const kept = [`${name}.claim`];
    for (const file of [elsewhere, `${gone}.claim`, ...kept]) {
      fs.writeFileSync(join(dir, file), '{"ent');
      old(join(dir, file), 1.1 / 24);
    }
    for (const file of young) fs.writeFileSync(join(dir, file), '');
    fileJournal(dir).list(target);
    expect(files().sort()).toEqual([name, ...young, ...kept].sort());
  });

  test('leaves an old entry alone that somebody takes meanwhile', () => {
    const updatedAt = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const journal = fileJournal(dir);
    const one = entry({ updatedAt, state: 'refused' });
    journal.add(one);
    journal.settle(one);
    old(only());
    const path = only();
    const { linkSync } = fs;
    watch('linkSync', (from, to) => {
      unwatch();
      // Just before the claim of who cleans: another process takes it, and is through with that.
      expect(journal.claim(one, later())).toMatchObject({ state: 'refused' });
      linkSync(from, to);
    });
    fileJournal(dir).list(target);
    expect(fs.existsSync(path)).toBe(true);
  });

  test('that cannot be done is no obstacle', () => {
    const journal = fileJournal(dir);
    const [one, two] = [entry({ state: 'applied', updatedAt: '2020-01-01T00:00:00.000Z' }), entry()];
    journal.add(one);
    journal.settle(one);
    old(only());
    journal.add(two);
    fs.mkdirSync(join(dir, draft(files()[0] ?? '', 2 ** 30)));
    for (const call of ['openSync', 'unlinkSync', 'linkSync'] as const) watch(call, fails('EROFS'));
    expect(fileJournal(dir).list(target)).toEqual({ entries: [one, two], problems: [] });
    unwatch();
    // The outcome is kept, whatever cleaning comes to.
    watch('readdirSync', fails('EACCES'));
    const next = fileJournal(dir);
    const three = entry();
    next.add(three);
    next.settle({ ...three, state: 'applied' });
    unwatch();
    expect(next.get(three)).toMatchObject({ state: 'applied' });
  });
});

describe('a name', () => {
  test.each([
    ['copy of ', ''],
    ['', '.bak'],
    ['copy of ', '.claim'],
    ['', '.claim.old'],
    ['', '.x.0-abc.tmp'],
    ['', '.12.0 abc.tmp'],
  ])('%sNAME%s is not one of this journal, and is told', (before, after) => {
    const one = free();
    const [name = ''] = files();
    const foreign = `${before}${name}${after}`;
    fs.copyFileSync(only(), join(dir, foreign));
    const message = 'it is no entry of this journal';
    expect(fileJournal(dir).list(target)).toEqual({
      entries: [one],
      problems: [{ where: foreign, reason: 'foreign', message }],
    });
  });

  test.each<[string, Partial<JournalEntry>]>([
    ['target', { target: 'elsewhere' }],
    ['operation', { operationId: '00000000-0000-4000-8000-000000000000' }],
  ])(
    'that belongs to another %s than what is in the file makes it nobody’s, and does not end in a loop',
    (_, other) => {
      const one = free();
      const journal = fileJournal(dir);
      const [name = ''] = files();
      const content = JSON.parse(fs.readFileSync(only(), 'utf8')) as { entry: JournalEntry };
      fs.writeFileSync(join(dir, name), JSON.stringify({ entry: { ...content.entry, ...other } }));
      expect(journal.get(one)).toBeUndefined();
      expect(journal.claim(one, later())).toBeUndefined();
      expect(journal.remove(one)).toBe(false);
      expect(journal.list(target)).toEqual({
        entries: [],
        problems: [{ where: name, reason: 'foreign', message: expect.stringContaining('named after') }],
      });
      expect(journal.add(one)).toBe(true);
      expect(journal.get(one)).toEqual(one);
    },
  );
});

describe('the last moment', () => {
  test('at which a call may still be at work is five seconds after its deadline', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const one = entry({ deadline: new Date(Date.now() + 60_000).toISOString() });
    const journal = fileJournal(dir);
    journal.add(one);
    vi.advanceTimersByTime(65_000);
    expect(journal.claim(one, later())).toBe('held');
    vi.advanceTimersByTime(1);
    expect(journal.claim(one, later())).toMatchObject({ operationId: one.operationId });
  });

  test('does not come when somebody sets the clock', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const journal = fileJournal(dir);
    const [one, two] = [entry(), entry({ state: 'unknown' })];
    journal.add(one);
    journal.add(two);
    journal.settle(two);
    expect(journal.claim(two, new Date(Date.now() + 60_000).toISOString())).toMatchObject(two);
    vi.setSystemTime(Date.now() + 3_600_000);
    // Also for another client of this process.
    for (const held of [one, two]) {
      expect(journal.claim(held, later())).toBe('held');
      expect(fileJournal(dir).claim(held, later())).toBe('held');
    }
    journal.settle({ ...one, state: 'applied' });
    expect(journal.get(one)).toMatchObject({ state: 'applied' });
  });
});
