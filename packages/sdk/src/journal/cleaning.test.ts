import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claim, entry, fails, target, unwatch, watch } from '../../test-support/file-system.ts';
import { journalFolder } from '../../test-support/journal-folder.ts';
import { applied, lost, replayed } from '../../test-support/scripted.ts';
import { fileJournal } from './file.ts';
import { thisProcess } from './owner.ts';
import { digestOf } from './whole-files.ts';

/* What goes in the end, and what never does. */

const vip = { name: 'VIP', color: 'pink' } as const;
const folder = journalFolder();
const { files, only, stored, put, here, free } = folder;

const attempt = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

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
    expect(fileJournal(folder.dir).get(entry)).toEqual(entry);
    expect(await here(applied).client.operations.list()).toHaveLength(1);
  });

  test('keeps what is not settled', async () => {
    await attempt(here(lost).client.tags.create(vip));
    age(365);
    expect(await here(applied).client.operations.list()).toHaveLength(1);
  });

  const old = (path: string, days = 30): void => {
    const then = new Date(Date.now() - days * 86_400_000);
    fs.utimesSync(path, then, then);
  };

  test('happens once, with the first settlement, and opens nothing that was written lately', () => {
    for (let n = 0; n < 3; n++) free();
    const before = files();
    const list = watch('readdirSync');
    const read = watch('readFileSync');
    const journal = fileJournal(folder.dir);
    for (let n = 0; n < 3; n++) {
      const one = entry();
      journal.add(one);
      journal.settle({ ...one, state: 'applied' });
    }
    expect(list).toHaveBeenCalledTimes(1);
    const opened = read.mock.calls.map(([path]) => String(path));
    expect(before.filter((name) => opened.includes(join(folder.dir, name)))).toEqual([]);
  });

  test('with the first settlement removes what was settled long ago', () => {
    const updatedAt = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const journal = fileJournal(folder.dir);
    const one = entry({ updatedAt, state: 'applied' });
    journal.add(one);
    journal.settle(one);
    old(only());
    const second = entry();
    const next = fileJournal(folder.dir);
    next.add(second);
    next.settle(second);
    expect(next.get(one)).toBeUndefined();
    expect(next.get(second)).toEqual(second);
  });

  test('goes by what an entry says, not by its file alone', () => {
    const journal = fileJournal(folder.dir);
    const one = entry({ state: 'applied' });
    journal.add(one);
    journal.settle(one);
    old(only());
    expect(fileJournal(folder.dir).list(target)).toMatchObject({ entries: [one] });
  });

  test('leaves alone what it cannot read, however old', () => {
    free();
    fs.writeFileSync(only(), '{"ent');
    old(only());
    expect(fileJournal(folder.dir).list(target)).toMatchObject({
      entries: [],
      problems: [{ reason: 'torn' }],
    });
    expect(files()).toHaveLength(1);
  });

  test('is not needed after a settlement that failed: it leaves nothing but what was there', () => {
    const one = free();
    const before = files();
    const journal = fileJournal(folder.dir);
    const held = claim(journal, one);
    watch('renameSync', fails('EIO'));
    expect(held).toMatchObject({ state: 'unknown' });
    const settled = { ...one, ...Object(held), state: 'applied' } as const;
    expect(() => journal.settle(settled)).toThrow('EIO');
    expect(files()).toEqual(before);
    expect(fileJournal(folder.dir).list(target)).toEqual({ entries: [held], problems: [] });
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
    for (const file of [...dead, ...living]) fs.writeFileSync(join(folder.dir, file), '{"ent');
    expect(fileJournal(folder.dir).list(target)).toMatchObject({ problems: [] });
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
      fs.writeFileSync(join(folder.dir, file), '{"ent');
      old(join(folder.dir, file), 1.1 / 24);
    }
    for (const file of young) fs.writeFileSync(join(folder.dir, file), '');
    fileJournal(folder.dir).list(target);
    expect(files().sort()).toEqual([name, ...young, ...kept].sort());
  });

  test('leaves alone what others keep there, however old and whatever its name', () => {
    const foreign = ['notes.12.old.tmp', 'notes.claim', 'notes.txt'];
    for (const name of foreign) {
      fs.writeFileSync(join(folder.dir, name), '{}');
      old(join(folder.dir, name));
    }
    const read = watch('readFileSync');
    expect(fileJournal(folder.dir).list(target)).toMatchObject({
      problems: foreign.map((where) => ({ where, reason: 'foreign' })),
    });
    expect(read).not.toHaveBeenCalled();
    expect(files()).toEqual(foreign);
  });

  test('leaves an old entry alone that somebody takes meanwhile', () => {
    const updatedAt = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const journal = fileJournal(folder.dir);
    const one = entry({ updatedAt, state: 'refused' });
    journal.add(one);
    journal.settle(one);
    old(only());
    const path = only();
    const { linkSync } = fs;
    watch('linkSync', (from, to) => {
      unwatch();
      // Just before the claim of who cleans: another process takes it, and is through with that.
      expect(claim(journal, one)).toMatchObject({ state: 'refused' });
      linkSync(from, to);
    });
    fileJournal(folder.dir).list(target);
    expect(fs.existsSync(path)).toBe(true);
  });

  test('that cannot be done is no obstacle', () => {
    const journal = fileJournal(folder.dir);
    const [one, two] = [entry({ state: 'applied', updatedAt: '2020-01-01T00:00:00.000Z' }), entry()];
    journal.add(one);
    journal.settle(one);
    old(only());
    journal.add(two);
    fs.mkdirSync(join(folder.dir, draft(files()[0] ?? '', 2 ** 30)));
    for (const call of ['openSync', 'unlinkSync', 'linkSync'] as const) watch(call, fails('EROFS'));
    expect(fileJournal(folder.dir).list(target)).toEqual({ entries: [one, two], problems: [] });
    unwatch();
    // The outcome is kept, whatever cleaning comes to.
    watch('readdirSync', fails('EACCES'));
    const next = fileJournal(folder.dir);
    const three = entry();
    next.add(three);
    next.settle({ ...three, state: 'applied' });
    unwatch();
    expect(next.get(three)).toMatchObject({ state: 'applied' });
  });
});
