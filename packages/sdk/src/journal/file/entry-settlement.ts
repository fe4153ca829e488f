import { type AtomicDirectory, getThisProcess, withFileLock } from '@orgchat/atomic-files';
import { isSettled, wasStale } from '../entries.ts';
import type { JournalEntry } from '../journal.ts';
import type { EntryLocator } from './entry-locator.ts';
import { findHeldText, forgetHold, getHoldState, release } from './holds.ts';
import type { SettledDays } from './settled-days.ts';

/**
 * The result of a settlement. `isDone` is false if the open file could not be removed after the outcome was written.
 */
interface Settlement {
  readonly isDone: boolean;
}

/** Creates the function that writes the outcome of an entry. It returns false if the hold of the entry was lost. */
export function createSettle(
  files: AtomicDirectory,
  days: SettledDays,
  locator: EntryLocator,
): (entry: JournalEntry) => boolean {
  /** Returns whether the text of a file belongs to the hold with this token. */
  function isHeldText(name: string, text: string, token: string | undefined): boolean {
    if (text === findHeldText(files.at(name), token)) return true;
    const found = locator.parse(name, text);
    return 'entry' in found && token !== undefined && found.entry.token === token;
  }

  /** Writes the outcome of a held entry. Returns false if the open file of a settled entry cannot be removed. */
  function record(name: string, entry: JournalEntry): boolean {
    const text = JSON.stringify({ entry });
    if (isSettled(entry) && putSettled(name, text)) return files.remove(name);
    files.replace(name, text);
    return true;
  }

  /** Writes a settled entry to the folder of the day. Returns false if that fails: then it is settled where it is. */
  function putSettled(name: string, text: string): boolean {
    const file = days.toFile(name);
    try {
      // A part of it, left by a crash, does not count as long as the open entry is there.
      if (!files.write(file, text)) files.replace(file, text, name);
      return true;
    } catch {
      return false;
    }
  }

  /** Writes the outcome of an entry; undefined if its hold was lost. */
  function settleOwn(name: string, entry: JournalEntry): Settlement | undefined {
    const now = files.read(name);
    if (now === undefined) return isSettledUnder(name, entry.token) ? { isDone: true } : undefined;
    return isHeldText(name, now, entry.token) ? { isDone: record(name, entry) } : undefined;
  }

  /** Returns whether the same settlement was made before, and its reply was lost. */
  function isSettledUnder(name: string, token: string | undefined): boolean {
    const known = locator.find(name)?.stored.entry;
    return known !== undefined && token !== undefined && known.token === token;
  }

  /** Settles after the end of a hold. Another process may be taking the entry, so this needs the lock. */
  function settleLate(name: string, entry: JournalEntry): Settlement | undefined {
    return withFileLock(files, name, () => settleOwn(name, entry));
  }

  function hasHoldEnded(name: string, entry: JournalEntry): boolean {
    return !getHoldState(files.at(name), { entry, owner: getThisProcess() }).isHeld;
  }

  return (entry) => {
    const name = locator.toFileName(entry);
    const path = files.at(name);
    let settlement: Settlement | undefined;
    try {
      settlement = hasHoldEnded(name, entry) ? settleLate(name, entry) : settleOwn(name, entry);
    } catch (error) {
      release(path, entry.token);
      if (hadNoEffect(entry)) files.remove(name);
      throw error;
    }
    if (settlement?.isDone === false) release(path, entry.token);
    else forgetHold(path, entry.token);
    return settlement !== undefined;
  };
}

/**
 * Returns whether an entry was refused or not sent, so that a later resumeAll() must not send it. A stale attempt of an
 * edit is kept: its entry shows that its id must not be used again.
 */
function hadNoEffect(entry: JournalEntry): boolean {
  return isSettled(entry) && entry.state !== 'applied' && !wasStale(entry);
}
