import { type AtomicDirectory, getErrorCode, withFileLock } from '@orgchat/atomic-files';
import { isSettled } from '../entries.ts';
import type { EntryKey, JournalProblem } from '../journal.ts';
import type { SettledDays } from './settled-days.ts';
import { parseEntry, type StoredEntry } from './stored-entry.ts';

/** An entry and the file it is in. Names are relative to the folder of the journal. */
export interface LocatedEntry {
  readonly file: string;
  /** Whether a file of it is among the open entries. */
  readonly isOpen: boolean;
  readonly stored: StoredEntry;
}

/**
 * Finds the files of entries, and decides which of several files of one entry counts.
 *
 * An open entry is in the folder of the journal, a settled one in the folder of a day. It is in both if a process died
 * while it was moved. The settled file counts if the same hold wrote both, because only a settlement follows a hold.
 * Otherwise the open file counts: it belongs to a later hold.
 */
export interface EntryLocator {
  /** Returns the name of the file of an entry, without its folder. */
  toFileName(key: EntryKey): string;
  /** Reads a file that is named after its entry. Returns a problem if it cannot be used. Never throws. */
  read(file: string): StoredEntry | JournalProblem | undefined;
  /** Parses the text of the file of an entry. */
  parse(file: string, text: string): StoredEntry | JournalProblem;
  /** Reads the file of an entry; undefined if it does not exist or cannot be used. */
  readEntry(file: string): StoredEntry | undefined;
  /** Finds the file of an entry that counts, by its name; undefined if there is none. */
  find(name: string): LocatedEntry | undefined;
  /** Returns whether an entry has any file. */
  hasFile(name: string): boolean;
  /** Finds the settled file that the hold of an open entry wrote, if there is one. */
  findSettledTwin(name: string, open: StoredEntry): LocatedEntry | undefined;
  /** Removes an open entry whose settlement has already been written. */
  removeIfSettled(name: string, open: StoredEntry): void;
}

export function createEntryLocator(
  files: AtomicDirectory,
  days: SettledDays,
  toFileName: (key: EntryKey) => string,
): EntryLocator {
  function parse(file: string, text: string): StoredEntry | JournalProblem {
    const found = parseEntry(file, text);
    return 'entry' in found && toFileName(found.entry) !== file.slice(file.lastIndexOf('/') + 1)
      ? {
          location: file,
          reason: 'foreign',
          message: 'the file name does not match the entry in the file',
        }
      : found;
  }

  function read(file: string): StoredEntry | JournalProblem | undefined {
    try {
      const text = files.read(file);
      return text === undefined ? undefined : parse(file, text);
    } catch (error) {
      return {
        location: file,
        reason: 'foreign',
        message: `the file cannot be read (${getErrorCode(error)})`,
      };
    }
  }

  function readEntry(file: string): StoredEntry | undefined {
    const found = read(file);
    return found && 'entry' in found ? found : undefined;
  }

  function findNewestCopy(
    name: string,
    isOpen: boolean,
    counts: (stored: StoredEntry) => boolean,
  ): LocatedEntry | undefined {
    for (const file of days.listCopies(name)) {
      const stored = readEntry(file);
      if (stored && counts(stored)) return { file, isOpen, stored };
    }
    return undefined;
  }

  function findSettledTwin(name: string, { entry }: StoredEntry): LocatedEntry | undefined {
    if (isSettled(entry) || entry.token === undefined) return undefined;
    return findNewestCopy(name, true, (copy) => copy.entry.token === entry.token);
  }

  function findOpen(name: string): LocatedEntry | undefined {
    const open = readEntry(name);
    if (!open) return undefined;
    const twin = findSettledTwin(name, open);
    if (!twin) return { file: name, isOpen: true, stored: open };
    // The holder may still remove the open file, whatever it contains by then.
    return { ...twin, stored: { ...open, entry: twin.stored.entry } };
  }

  return {
    toFileName,
    read,
    parse,
    readEntry,
    findSettledTwin,
    hasFile: (name) => !Number.isNaN(files.changedAt(name)) || days.listCopies(name).length > 0,
    // Look among open entries again: a claim between the two searches moves a settled file back there.
    find: (name) => findOpen(name) ?? findNewestCopy(name, false, () => true) ?? findOpen(name),
    removeIfSettled(name, open) {
      if (!findSettledTwin(name, open)) return;
      withFileLock(files, name, () => {
        if (JSON.stringify(readEntry(name)) !== JSON.stringify(open)) return undefined;
        files.remove(name);
        return true;
      });
    },
  };
}
