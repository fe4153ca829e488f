import * as fs from 'node:fs';
import { type AtomicDirectory, withFileLock } from '@orgchat/atomic-files';
import type { JournalFailureReason } from '../../errors/base.ts';
import type { JournalEntry } from '../journal.ts';
import type { EntryLocator } from './entry-locator.ts';
import type { SettledDays } from './settled-days.ts';

/** Creates the files of new entries, even if an unreadable file has the same name. */
export interface EntryCreation {
  /** Returns whether a readable settled file of the entry exists. Unreadable ones are renamed. */
  isSettledHere(name: string, entry: JournalEntry): boolean;
  /** Creates the file of a new entry; false if there is one. */
  create(name: string, entry: JournalEntry, text: string): boolean;
  /**
   * Returns whether another process settled this entry just before it was created here. Then the new file is removed.
   */
  wasSettledMeanwhile(name: string): boolean;
}

export function createEntryCreation(
  files: AtomicDirectory,
  days: SettledDays,
  locator: EntryLocator,
): EntryCreation {
  /**
   * Renames an unreadable file that has the name of a new entry. This is safe if the server recognizes a change
   * that was applied. Returns whether the name is free now. Throws if the file may be about a write that must not be
   * sent again, or if another process may be using it.
   */
  function quarantineUnreadable(file: string, entry: JournalEntry): boolean {
    const text = files.read(file);
    if (text === undefined) return true;
    const found = locator.parse(file, text);
    if ('entry' in found) return false;
    // It may be a keyword write that was sent, a stale attempt of an edit, or an entry of a later version.
    const matters = entry.kind === 'keywords' || entry.body.includes('"expectedRevision"');
    if (matters || found.reason === 'format')
      throw unusable(
        'journal-entry-unusable',
        `${file}: ${found.message}. Move the file out of the journal.`,
      );
    const moved = withFileLock(files, locator.toFileName(entry), () => {
      if (files.read(file) !== text) return undefined;
      files.move(file, `${file}.unreadable-${Date.now()}`);
      return true;
    });
    if (!moved && files.read(file) === text) {
      throw unusable('journal-busy', `${file}: another process is changing this entry. Try again.`);
    }
    return moved ?? false;
  }

  function create(name: string, entry: JournalEntry, text: string): boolean {
    if (files.create(name, text)) return true;
    if (!quarantineUnreadable(name, entry)) return false;
    if (files.create(name, text)) return true;
    // Such as a symbolic link without a target.
    if (files.read(name) === undefined)
      throw unusable(
        'journal-entry-unusable',
        `${name}: the file exists but cannot be opened. Move it out of the journal.`,
      );
    return false;
  }

  function wasSettledMeanwhile(name: string): boolean {
    try {
      if (days.listCopies(name).length === 0) return false;
    } catch (error) {
      files.remove(name);
      throw error;
    }
    fs.unlinkSync(files.at(name));
    return true;
  }

  return {
    isSettledHere: (name, entry) => days.listCopies(name).some((copy) => !quarantineUnreadable(copy, entry)),
    create,
    wasSettledMeanwhile,
  };
}

/** An error about the file of an entry. Its `reason` becomes that of `JOURNAL_FAILED`. */
function unusable(reason: JournalFailureReason, message: string): Error {
  return Object.assign(new Error(message), { reason });
}
