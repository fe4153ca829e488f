import fs from 'node:fs';
import { basename, join } from 'node:path';
import { getThisProcess, shortDigest } from '@orgchat/atomic-files';
import { fails, unwatch, watch } from '@orgchat/atomic-files/test-support/file-system';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { claim, entry, target } from '../../../test-support/journals/journal-entries.ts';
import { journalFolder, later } from '../../../test-support/journals/journal-folder.ts';
import { applied, lost, replayed } from '../../../test-support/servers/scripted.ts';
import type { Journal, JournalEntry } from '../journal.ts';
import { fileJournal } from './file-journal.ts';
import { toDay } from './names.ts';

/* What goes in the end, and what never does. */

const vip = { name: 'VIP', color: 'pink' } as const;
const folder = journalFolder();
const { files, only, stored, put, here, free } = folder;

const attempt = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('cleaning', () => {
  const age = (days: number): void => {
    const then = new Date(Date.now() - days * 86_400_000);
    put({ ...stored(), entry: { ...stored().entry, updatedAt: then.toISOString() } });
    const [path, dayFolder] = [only(), join(folder.dir, 'settled', toDay(then.getTime()))];
    fs.utimesSync(path, then, then);
    if (!path.includes('settled')) return;
    fs.mkdirSync(dayFolder, { recursive: true });
    fs.renameSync(path, join(dayFolder, basename(path)));
  };

  test('removes what was settled a week ago', async () => {
    await here(applied).client.tags.create(vip);
    age(6.9);
    expect(await here(applied).client.operations.list()).toHaveLength(1);
    age(8.1);
    await here(applied).client.operations.list();
    // The folder of the day goes last.
    const daysThere = (): string[] => fs.readdirSync(join(folder.dir, 'settled'));
    await expect.poll(daysThere).not.toContain(toDay(Date.now() - 8.1 * 86_400_000));
    expect(files()).toEqual([]);
  });

  test('keeps a requested entry for another week', async () => {
    const write = () => here(applied, replayed).client.tags.create(vip, { intent: ['weekly'] });
    await write();
    age(8.1);
    await write();
    age(8.1);
    const { entry } = stored();
    expect(fileJournal(folder.dir).get(entry)).toEqual(entry);
    expect(files()).toEqual([expect.stringContaining(join('settled', toDay(Date.now())))]);
    expect(await here(applied).client.operations.list()).toHaveLength(1);
  });

  test('keeps what is not settled', async () => {
    await attempt(here(lost).client.tags.create(vip));
    age(365);
    expect(await here(applied).client.operations.list()).toHaveLength(1);
  });

  const settle = (journal: Journal): void => {
    const one = entry();
    journal.add(one);
    journal.settle({ ...one, state: 'applied' });
  };
  /** As an earlier version has it: among the open entries. */
  const putFlat = (one: JournalEntry): void =>
    fs.writeFileSync(
      join(folder.dir, `${one.operationId}.${shortDigest(one.target)}.json`),
      JSON.stringify({ entry: one }),
    );
  const old = (path: string, days = 30): void => {
    const then = new Date(Date.now() - days * 86_400_000);
    fs.utimesSync(path, then, then);
  };

  test('happens once, with the first settlement, and reads no settled entry', () => {
    for (let n = 0; n < 3; n++) settle(fileJournal(folder.dir));
    const before = files();
    const list = watch('opendirSync');
    const read = watch('readFileSync');
    const journal = fileJournal(folder.dir);
    for (let n = 0; n < 3; n++) settle(journal);
    expect(list).toHaveBeenCalledTimes(1);
    const opened = read.mock.calls.map(([path]) => String(path));
    expect(before.filter((name) => opened.includes(join(folder.dir, name)))).toEqual([]);
  });

  test('with the first settlement removes what an earlier version settled long ago', async () => {
    const updatedAt = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const [one, second] = [entry({ updatedAt, state: 'applied' }), entry({ state: 'applied' })];
    putFlat(one);
    old(only());
    const next = fileJournal(folder.dir);
    next.add(second);
    next.settle(second);
    await expect.poll(() => next.get(one)).toBeUndefined();
    expect(next.get(second)).toEqual(second);
  });

  test('decides by the content of an entry, not by its file alone', async () => {
    const one = entry({ state: 'applied' });
    putFlat(one);
    old(only());
    expect(await fileJournal(folder.dir).list(target)).toMatchObject({ entries: [one] });
  });

  test('does not remove what it cannot read, however old', async () => {
    free();
    fs.writeFileSync(only(), '{"ent');
    old(only());
    expect(await fileJournal(folder.dir).list(target)).toMatchObject({
      entries: [],
      problems: [{ reason: 'truncated' }],
    });
    expect(files()).toHaveLength(1);
  });

  test('does not run after a settlement that failed', async () => {
    const one = free();
    const before = files();
    const journal = fileJournal(folder.dir);
    const held = claim(journal, one);
    watch('openSync', fails('EIO'));
    expect(held).toMatchObject({ state: 'unknown' });
    const settled = { ...one, ...Object(held), state: 'applied' } as const;
    expect(() => journal.settle(settled)).toThrow('EIO');
    expect(files()).toEqual(before);
    expect(await fileJournal(folder.dir).list(target)).toEqual({ entries: [held], problems: [] });
  });

  /** The draft of a process of this machine, or of a container that shares the folder. */
  const draft = (
    name: string,
    pid: number,
    where = shortDigest(`${getThisProcess().host} ${getThisProcess().boot}`),
  ) => `${name}.${pid}.${where.slice(0, 8)}-0a1b2c3d-0.tmp`;

  test('removes what a dead process left unfinished, and nothing of a living one', async () => {
    free();
    const [name = ''] = files();
    const dead = [
      draft(name, 2 ** 30),
      draft(`${name}.lock`, 2 ** 30),
      draft(`${name}.0123456789abcdef.lock`, 2 ** 30),
    ];
    const living = [
      draft(name, process.ppid),
      draft(name, process.pid),
      // A process whose number means nothing here.
      draft(name, 2 ** 30, 'abcdef01'),
      `${name}.${2 ** 30}.mfx1a2b3-0.tmp`,
      `${name}.lock`,
      draft(`${name}.lock`, process.ppid),
    ];
    for (const file of [...dead, ...living]) fs.writeFileSync(join(folder.dir, file), '{"ent');
    expect(await fileJournal(folder.dir).list(target)).toMatchObject({ problems: [] });
    await expect.poll(files).toEqual([name, ...living].sort());
  });

  test('removes abandoned temporary files and locks without an entry', async () => {
    free();
    const [name = ''] = files();
    const gone = `${crypto.randomUUID()}${name.slice(36)}`;
    const elsewhere = draft(name, 2 ** 30, 'abcdef01');
    const young = [`${gone}.0123456789abcdef.lock`];
    const kept = [`${name}.lock`];
    for (const file of [elsewhere, `${gone}.lock`, ...kept]) {
      fs.writeFileSync(join(folder.dir, file), '{"ent');
      old(join(folder.dir, file), 1.1 / 24);
    }
    for (const file of young) fs.writeFileSync(join(folder.dir, file), '');
    await fileJournal(folder.dir).list(target);
    await expect.poll(files).toEqual([name, ...young, ...kept].sort());
  });

  test('does not remove files of other programs, whatever their age and name', async () => {
    const foreign = ['notes.12.old.tmp', 'notes.lock', 'notes.txt'];
    for (const name of foreign) {
      fs.writeFileSync(join(folder.dir, name), '{}');
      old(join(folder.dir, name));
    }
    const read = watch('readFileSync');
    expect(await fileJournal(folder.dir).list(target)).toMatchObject({
      problems: foreign.map((location) => ({ location, reason: 'foreign' })),
    });
    expect(read).not.toHaveBeenCalled();
    expect(files()).toEqual(foreign);
  });

  test('keeps an old entry that is taken in the meantime', async () => {
    const updatedAt = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const journal = fileJournal(folder.dir);
    const one = entry({ updatedAt, state: 'refused' });
    putFlat(one);
    old(only());
    const path = only();
    const { linkSync } = fs;
    watch('linkSync', (from, to) => {
      unwatch();
      // Just before the cleaning locks the entry, another process claims it and settles it.
      expect(claim(journal, one)).toMatchObject({ state: 'refused' });
      linkSync(from, to);
    });
    await fileJournal(folder.dir).list(target);
    expect(fs.existsSync(path)).toBe(true);
  });

  test('keeps what other programs put into the folder of a day', async () => {
    const day = join(folder.dir, 'settled', '2020-01-01');
    fs.mkdirSync(day, { recursive: true });
    const name = `${crypto.randomUUID()}.${shortDigest(target)}.json`;
    for (const file of [name, 'notes.txt']) fs.writeFileSync(join(day, file), '{}');
    await fileJournal(folder.dir).list(target);
    await expect.poll(files).toEqual([join('settled', '2020-01-01', 'notes.txt')]);
  });

  test('does not move a settled entry that a process holds', async () => {
    const one = entry({ state: 'applied', deadline: later() });
    putFlat(one);
    put({ entry: one, owner: { ...getThisProcess(), host: 'elsewhere' } });
    old(only());
    const path = only();
    await fileJournal(folder.dir).list(target);
    expect(fs.existsSync(path)).toBe(true);
    expect(files()).toHaveLength(1);
  });

  /** Counts how often the folder of this test is opened: a cleaning of an earlier test may still be in progress. */
  const countOpened = (): (() => number) => {
    const open = watch('opendirSync');
    return () => open.mock.calls.filter(([path]) => String(path).startsWith(folder.dir)).length;
  };

  test('happens again with the first settlement after an hour', () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const opened = countOpened();
    const journal = fileJournal(folder.dir);
    settle(journal);
    vi.runAllTimers();
    expect(opened()).toBe(1);
    vi.advanceTimersByTime(3_590_000);
    settle(journal);
    expect(opened()).toBe(1);
    vi.advanceTimersByTime(10_001);
    settle(journal);
    expect(opened()).toBe(2);
  });

  test('does not begin while another one of the same journal is in progress', async () => {
    // A slice ends after a number of steps: the faked clock does not move on a slow machine.
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    // More than one slice.
    for (let n = 0; n < 60; n++) fs.writeFileSync(join(folder.dir, `${n}.txt`), '');
    const journal = fileJournal(folder.dir);
    const opened = countOpened();
    const openedBy = async (work: () => unknown): Promise<number> => {
      const before = opened();
      await work();
      return opened() - before;
    };
    const list = () => journal.list(target);
    const whileIdle = await openedBy(list);
    const whileCleaning = await openedBy(list);
    // The list itself opens the folder, and the first one also began a cleaning.
    expect(whileIdle - whileCleaning).toBe(1);
    vi.runAllTimers();
    expect(await openedBy(list)).toBe(whileIdle);
    vi.runAllTimers();
  });

  test('that fails does not block other work', async () => {
    const journal = fileJournal(folder.dir);
    const [one, two] = [entry({ state: 'applied', updatedAt: '2020-01-01T00:00:00.000Z' }), entry()];
    putFlat(one);
    old(only());
    journal.add(two);
    fs.mkdirSync(join(folder.dir, draft(files()[0] ?? '', 2 ** 30)));
    for (const call of ['openSync', 'unlinkSync', 'linkSync'] as const) watch(call, fails('EROFS'));
    expect(await fileJournal(folder.dir).list(target)).toEqual({ entries: [one, two], problems: [] });
    unwatch();
    // The outcome is kept, even if the cleaning fails.
    watch('opendirSync', fails('EACCES'));
    const next = fileJournal(folder.dir);
    const three = entry();
    next.add(three);
    next.settle({ ...three, state: 'applied' });
    unwatch();
    expect(next.get(three)).toMatchObject({ state: 'applied' });
  });
});
