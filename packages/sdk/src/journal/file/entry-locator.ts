import { type AtomicDirectory, getErrorCode, withFileLock } from '@orgchat/atomic-files';
import { isSettled } from '../entries.ts';
import type { EntryKey, JournalProblem } from '../journal.ts';
import type { SettledDays } from './settled-days.ts';
import { parseEntry, type StoredEntry } from './stored-entry.ts';

/** An entry and the file it is in. Names are relative to the folder of the journal. */
export interface LocatedEntry {
  readonly place: string;
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
  nameOf(key: EntryKey): string;
  /** Reads a file that is named after its entry. Returns a problem if it cannot be used. Never throws. */
  read(place: string): StoredEntry | JournalProblem | undefined;
  /** Parses the text of the file of an entry. */
  parse(place: string, text: string): StoredEntry | JournalProblem;
  storedIn(place: string): StoredEntry | undefined;
  find(name: string): LocatedEntry | undefined;
  /** Returns whether an entry has any file. */
  isThere(name: string): boolean;
  /** The settled file that the hold of an open entry wrote, if there is one. */
  settledTwin(name: string, open: StoredEntry): LocatedEntry | undefined;
  /** Removes an open entry whose settlement has already been written. */
  dropIfSettled(name: string, open: StoredEntry): void;
}

export function createEntryLocator(
  files: AtomicDirectory,
  days: SettledDays,
  nameOf: (key: EntryKey) => string,
): EntryLocator {
  function parse(place: string, text: string): StoredEntry | JournalProblem {
    const found = parseEntry(place, text);
    return 'entry' in found && nameOf(found.entry) !== place.slice(place.lastIndexOf('/') + 1)
      ? {
          location: place,
          reason: 'foreign',
          message: 'the file name does not match the entry in the file',
        }
      : found;
  }

  function read(place: string): StoredEntry | JournalProblem | undefined {
    try {
      const text = files.read(place);
      return text === undefined ? undefined : parse(place, text);
    } catch (error) {
      return {
        location: place,
        reason: 'foreign',
        message: `the file cannot be read (${getErrorCode(error)})`,
      };
    }
  }

  function storedIn(place: string): StoredEntry | undefined {
    const found = read(place);
    return found && 'entry' in found ? found : undefined;
  }

  function newestCopy(
    name: string,
    isOpen: boolean,
    counts: (stored: StoredEntry) => boolean,
  ): LocatedEntry | undefined {
    for (const place of days.copiesOf(name)) {
      const stored = storedIn(place);
      if (stored && counts(stored)) return { place, isOpen, stored };
    }
    return undefined;
  }

  function settledTwin(name: string, { entry }: StoredEntry): LocatedEntry | undefined {
    if (isSettled(entry) || entry.token === undefined) return undefined;
    return newestCopy(name, true, (copy) => copy.entry.token === entry.token);
  }

  function findOpen(name: string): LocatedEntry | undefined {
    const open = storedIn(name);
    if (!open) return undefined;
    const twin = settledTwin(name, open);
    if (!twin) return { place: name, isOpen: true, stored: open };
    // The holder may still remove the open file, whatever it contains by then.
    return { ...twin, stored: { ...open, entry: twin.stored.entry } };
  }

  return {
    nameOf,
    read,
    parse,
    storedIn,
    settledTwin,
    isThere: (name) => !Number.isNaN(files.changedAt(name)) || days.copiesOf(name).length > 0,
    // Look among open entries again: a claim between the two searches moves a settled file back there.
    find: (name) => findOpen(name) ?? newestCopy(name, false, () => true) ?? findOpen(name),
    dropIfSettled(name, open) {
      if (!settledTwin(name, open)) return;
      withFileLock(files, name, () => {
        if (JSON.stringify(storedIn(name)) !== JSON.stringify(open)) return undefined;
        files.remove(name);
        return true;
      });
    },
  };
}
