import fs from 'node:fs';
import { join } from 'node:path';
import { getThisProcess, type ProcessIdentity } from '@orgchat/atomic-files';
import { watch } from '@orgchat/atomic-files/test-support/file-system';
import { describe, expect, test } from 'vitest';
import { fileJournal } from '../../src/journal/file/file-journal.ts';
import type { JournalEntry } from '../../src/journal/journal.ts';
import { claim, entry, target } from '../../test-support/journals/journal-entries.ts';
import { journalFolder } from '../../test-support/journals/journal-folder.ts';

/* A journal among other processes, other files and the rests of dead ones. */

const folder = journalFolder();
const { files, only, free } = folder;

test('a list is ordered by time, whatever the order of the files in the folder', async () => {
  const journal = fileJournal(folder.dir);
  const all = Array.from({ length: 8 }, () => entry());
  for (const one of [...all].reverse()) journal.add(one);
  expect(await journal.list(target)).toEqual({ entries: all, problems: [] });
});

describe('a folder that other processes use', () => {
  test('may lose a file after it was listed', async () => {
    const one = free();
    const names = [`${crypto.randomUUID()}.0123456789abcdef.json`, ...files()];
    watch('readdirSync', () => names);
    expect(await fileJournal(folder.dir).list(target)).toEqual({ entries: [one], problems: [] });
  });

  test('may be removed, and is created again', async () => {
    const journal = fileJournal(folder.dir);
    journal.add(entry());
    fs.rmSync(folder.dir, { recursive: true });
    const one = entry();
    expect(journal.add(one)).toBe(true);
    expect(await journal.list(target)).toEqual({ entries: [one], problems: [] });
  });

  test('keeps an entry removed that another process removed', () => {
    const journal = fileJournal(folder.dir);
    const one = entry();
    journal.add(one);
    expect(fileJournal(folder.dir).remove(one)).toBe(true);
    journal.settle({ ...one, state: 'applied' });
    expect(files()).toEqual([]);
  });

  /** Runs a function after an entry was read, and before it is claimed. */
  function runBeforeClaim(happens: (path: string) => void): void {
    const { linkSync } = fs;
    const path = only();
    watch('linkSync', (from, to) => {
      linkSync(from, to);
      happens(path);
    });
  }
  const other: ProcessIdentity = { ...getThisProcess(), pid: process.ppid, start: '7' };

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
  ])('an entry that %s before the claim is not claimed', (_name, found, happens) => {
    const one = free();
    runBeforeClaim(happens);
    expect(claim(fileJournal(folder.dir), one)).toBe(found);
    expect(files().filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  test('does not claim an entry that another process claimed in the meantime', async () => {
    const one = free();
    const [first, second] = [
      { ...other, pid: 2 ** 30 },
      { ...other, pid: 2 ** 30 + 1 },
    ];
    const path = only();
    const content = JSON.parse(fs.readFileSync(path, 'utf8')) as object;
    fs.writeFileSync(path, JSON.stringify({ ...content, owner: first }));
    runBeforeClaim(() => fs.writeFileSync(path, JSON.stringify({ ...content, owner: second })));
    expect(claim(fileJournal(folder.dir), one)).toBe('held');
  });
});

describe('a name', () => {
  test.each([
    ['copy of ', ''],
    ['', '.bak'],
    ['copy of ', '.lock'],
    ['', '.lock.old'],
    ['', '.x.0-abc.tmp'],
    ['', '.12.0 abc.tmp'],
  ])('%sNAME%s is not a file of this journal, and is reported', async (before, after) => {
    const one = free();
    const [name = ''] = files();
    const foreign = `${before}${name}${after}`;
    fs.copyFileSync(only(), join(folder.dir, foreign));
    const message = 'the file does not belong to this journal';
    expect(await fileJournal(folder.dir).list(target)).toEqual({
      entries: [one],
      problems: [{ location: foreign, reason: 'foreign', message }],
    });
  });

  test.each<[string, Partial<JournalEntry>]>([
    ['target', { target: 'elsewhere' }],
    ['operation', { operationId: '00000000-0000-4000-8000-000000000000' }],
  ])(
    'that does not match the %s in the file makes it unusable, without an endless loop',
    async (_, other) => {
      const one = free();
      const journal = fileJournal(folder.dir);
      const [name = ''] = files();
      const content = JSON.parse(fs.readFileSync(only(), 'utf8')) as { entry: JournalEntry };
      fs.writeFileSync(join(folder.dir, name), JSON.stringify({ entry: { ...content.entry, ...other } }));
      expect(journal.get(one)).toBeUndefined();
      expect(claim(journal, one)).toBeUndefined();
      expect(journal.remove(one)).toBe(false);
      expect(await journal.list(target)).toEqual({
        entries: [],
        problems: [
          {
            location: name,
            reason: 'foreign',
            message: expect.stringContaining('the file name does not match'),
            operationId: one.operationId,
          },
        ],
      });
      expect(journal.add(one)).toBe(true);
      expect(journal.get(one)).toEqual(one);
    },
  );
});
