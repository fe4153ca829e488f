import { alone } from './claims.ts';
import { type EntryKey, isSettled, type JournalProblem } from './journal.ts';
import type { SettledDays } from './settled-days.ts';
import { parseEntry, type Stored } from './stored.ts';
import { codeOf, type WholeFiles } from './whole-files.ts';

/** An entry and where it lies. Names are those below the journal's folder. */
export interface Found {
  readonly place: string;
  /** Whether a file of it is among the open entries. */
  readonly isOpen: boolean;
  readonly stored: Stored;
}

/**
 * Where the entries of a journal lie, and which of several files of one entry counts.
 *
 * An entry is open in the journal's folder, or settled in the folder of a day. It is in both places if a process died
 * while it moved: the settled one counts if the same hold wrote both, since only a settlement follows a hold; else the
 * open one does, which is then a later hold.
 */
export interface EntryPlaces {
  nameOf(key: EntryKey): string;
  /** What a file holds that was named after its entry; or what is wrong with it. Throws nothing. */
  read(place: string): Stored | JournalProblem | undefined;
  /** What a text holds that stands in the file of an entry. */
  parse(place: string, text: string): Stored | JournalProblem;
  storedIn(place: string): Stored | undefined;
  find(name: string): Found | undefined;
  /** Whether any file of an entry is there. */
  isThere(name: string): boolean;
  /** The settled file that the hold of an open entry wrote, if there is one. */
  settledTwin(name: string, open: Stored): Found | undefined;
  /** Removes an open entry whose settlement is in its place already. */
  dropIfSettled(name: string, open: Stored): void;
}

export function entryPlaces(
  files: WholeFiles,
  days: SettledDays,
  nameOf: (key: EntryKey) => string,
): EntryPlaces {
  function parse(place: string, text: string): Stored | JournalProblem {
    const found = parseEntry(place, text);
    return 'entry' in found && nameOf(found.entry) !== place.slice(place.lastIndexOf('/') + 1)
      ? { where: place, reason: 'foreign', message: 'it holds another operation than it is named after' }
      : found;
  }

  function read(place: string): Stored | JournalProblem | undefined {
    try {
      const text = files.read(place);
      return text === undefined ? undefined : parse(place, text);
    } catch (error) {
      return { where: place, reason: 'foreign', message: `it cannot be read (${codeOf(error)})` };
    }
  }

  function storedIn(place: string): Stored | undefined {
    const found = read(place);
    return found && 'entry' in found ? found : undefined;
  }

  function newestCopy(name: string, isOpen: boolean, counts: (stored: Stored) => boolean): Found | undefined {
    for (const place of days.copiesOf(name)) {
      const stored = storedIn(place);
      if (stored && counts(stored)) return { place, isOpen, stored };
    }
    return undefined;
  }

  function settledTwin(name: string, { entry }: Stored): Found | undefined {
    if (isSettled(entry) || entry.token === undefined) return undefined;
    return newestCopy(name, true, (copy) => copy.entry.token === entry.token);
  }

  function findOpen(name: string): Found | undefined {
    const open = storedIn(name);
    if (!open) return undefined;
    const twin = settledTwin(name, open);
    if (!twin) return { place: name, isOpen: true, stored: open };
    // Until the holder is through it may yet remove the open file, whatever is in it by then.
    return { ...twin, stored: { ...open, entry: twin.stored.entry } };
  }

  return {
    nameOf,
    read,
    parse,
    storedIn,
    settledTwin,
    isThere: (name) => !Number.isNaN(files.changedAt(name)) || days.copiesOf(name).length > 0,
    // It may be claimed, and so move back, between two looks.
    find: (name) => findOpen(name) ?? newestCopy(name, false, () => true) ?? findOpen(name),
    dropIfSettled(name, open) {
      if (!settledTwin(name, open)) return;
      alone(files, name, () => {
        if (JSON.stringify(storedIn(name)) !== JSON.stringify(open)) return undefined;
        files.drop(name);
        return true;
      });
    },
  };
}
