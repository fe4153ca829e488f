import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { shortDigest } from '@orgchat/atomic-files';
import { fails, unwatch, watch } from '@orgchat/atomic-files/test-support/file-system';
import { describe, expect, test } from 'vitest';
import { entry } from '../../../test-support/journals/journal-entries.ts';
import { journalFolder } from '../../../test-support/journals/journal-folder.ts';
import type { JournalEntry } from '../journal.ts';
import { fileJournal } from './file-journal.ts';
import { toDay } from './names.ts';

const folder = journalFolder();
const { files } = folder;

const getName = (one: JournalEntry): string => `${one.operationId}.${shortDigest(one.target)}.json`;
const openPath = (one: JournalEntry): string => join(folder.dir, getName(one));
const settledPath = (one: JournalEntry): string =>
  join(folder.dir, 'settled', toDay(Date.now()), getName(one));

function putSettled(one: JournalEntry, text = JSON.stringify({ entry: { ...one, state: 'applied' } })): void {
  fs.mkdirSync(dirname(settledPath(one)), { recursive: true });
  fs.writeFileSync(settledPath(one), text);
}

/** Runs `work` just before the file of an open entry is created. */
function beforeCreation(one: JournalEntry, work: () => void): void {
  const { linkSync } = fs;
  watch('linkSync', (from, to) => {
    if (to === openPath(one)) work();
    linkSync(from, to);
  });
}

describe('an entry that another process settles while it is added', () => {
  test('is not added, and leaves no open file', () => {
    const one = entry();
    beforeCreation(one, () => putSettled(one));
    expect(fileJournal(folder.dir).add(one)).toBe(false);
    unwatch();
    expect(files()).toEqual([join('settled', toDay(Date.now()), getName(one))]);
    expect(fileJournal(folder.dir).get(one)).toMatchObject({ state: 'applied' });
  });

  test('is not looked for if the id is new', () => {
    const one = entry();
    beforeCreation(one, () => putSettled(one));
    expect(fileJournal(folder.dir).add(one, { isNew: true })).toBe(true);
    unwatch();
    expect(fs.existsSync(openPath(one))).toBe(true);
  });

  test('leaves no open file if the settled ones cannot be listed', () => {
    const one = entry();
    beforeCreation(one, () => watch('readdirSync', fails('EIO')));
    expect(() => fileJournal(folder.dir).add(one)).toThrow('EIO');
    unwatch();
    expect(files()).toEqual([]);
  });
});

describe('a file that cannot be read, in the place of a new entry', () => {
  const isQuarantined = (name: string): boolean => name.includes('.unreadable-');

  test('is renamed if it is open', () => {
    const one = entry();
    fs.writeFileSync(openPath(one), '{"ent');
    expect(fileJournal(folder.dir).add(one)).toBe(true);
    expect(files().filter(isQuarantined)).toHaveLength(1);
    expect(fileJournal(folder.dir).get(one)).toEqual(one);
  });

  test('is renamed if it is settled', () => {
    const one = entry();
    putSettled(one, '{"ent');
    expect(fileJournal(folder.dir).add(one)).toBe(true);
    expect(files().filter(isQuarantined)).toHaveLength(1);
    expect(fileJournal(folder.dir).get(one)).toEqual(one);
  });

  test('stays if it may be about a keyword write, and the error says why nothing was recorded', () => {
    const one = entry({ kind: 'keywords', path: '/sites/s/keywords', body: '{"keywords":["a"]}' });
    fs.writeFileSync(openPath(one), '{"ent');
    expect(() => fileJournal(folder.dir).add(one)).toThrow(
      expect.objectContaining({
        reason: 'journal-entry-unusable',
        message: `${getName(one)}: the file is truncated or corrupted. Move the file out of the journal.`,
      }),
    );
    expect(files()).toEqual([getName(one)]);
  });

  test.skipIf(process.platform === 'win32')('stays if it is a link to nothing, and the error says so', () => {
    const one = entry();
    fs.symlinkSync('/nowhere/at/all', openPath(one));
    expect(() => fileJournal(folder.dir).add(one)).toThrow(
      expect.objectContaining({
        reason: 'journal-entry-unusable',
        message: expect.stringContaining('cannot be opened'),
      }),
    );
  });
});
