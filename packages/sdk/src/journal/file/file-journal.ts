import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  getThisProcess,
  makeFolder,
  openAtomicDirectory,
  shortDigest,
  withFileLock,
} from '@orgchat/atomic-files';
import { isSettled } from '../entries.ts';
import type { EntryKey, Hold, Journal, JournalEntry, JournalListing } from '../journal.ts';
import { createCleaner } from './cleaning.ts';
import { createEntryCreation } from './entry-creation.ts';
import { createEntryLocator, type LocatedEntry } from './entry-locator.ts';
import { createSettle } from './entry-settlement.ts';
import { findHeldText, forgetAllHolds, getHoldState, release, releaseAny, rememberHold } from './holds.ts';
import { createListing } from './list-pages.ts';
import { createSettledDays } from './settled-days.ts';

/**
 * Options of `fileJournal`.
 *
 * @example
 * const options: FileJournalOptions = { durable: true };
 * createClient({ journal: fileJournal(defaultJournalDir(), options) });
 */
export interface FileJournalOptions {
  /** Flushes every entry to the disk, so that it survives a power cut. Default false: it survives a crash. */
  readonly durable?: boolean;
}

/**
 * Returns the default directory: `$XDG_STATE_HOME/orgchat/journal`, or `~/.local/state/orgchat/journal`.
 *
 * @example
 * console.log(defaultJournalDir()); // such as /home/me/.local/state/orgchat/journal
 */
export function defaultJournalDir(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const state = process.platform === 'win32' ? LOCALAPPDATA : XDG_STATE_HOME;
  return join(state || join(homedir(), '.local', 'state'), 'orgchat', 'journal');
}

/**
 * Creates a journal in a directory, with one file per operation: readable by its owner alone, and complete or not there at
 * all. Several processes can share it. It survives `kill -9`; with `durable`, a power cut.
 *
 * @example
 * const client = createClient({ journal: fileJournal('./journal') });
 * await client.operations.resumeAll();
 */
export function fileJournal(
  directory: string = defaultJournalDir(),
  { durable = false }: FileJournalOptions = {},
): Journal {
  // Fixed now: a program may change its working directory.
  const dir = resolve(directory);
  const files = openAtomicDirectory(dir, durable);
  const days = createSettledDays(files);
  const digests = new Map<string, string>();
  const locator = createEntryLocator(files, days, toFileName);
  const cleaner = createCleaner(files, days, locator);
  const list = createListing(files, days, locator, dir);
  const creation = createEntryCreation(files, days, locator);
  const settle = createSettle(files, days, locator);

  function toFileName({ operationId, target }: EntryKey): string {
    let digest = digests.get(target);
    if (digest === undefined) {
      digest = shortDigest(target);
      digests.set(target, digest);
    }
    return `${operationId}.${digest}.json`;
  }

  function isHeldUnder(name: string, token: string | undefined): boolean {
    const known = locator.readEntry(name);
    return token !== undefined && known?.owner !== undefined && known.entry.token === token;
  }

  /** Writes the text of a new hold among the open entries; false if another process has written its own. */
  function putOpen({ isOpen }: LocatedEntry, name: string, text: string): boolean {
    if (!isOpen) return files.create(name, text);
    files.replace(name, text);
    return true;
  }

  /** Takes an entry that no living process holds, unless it changed since it was read. */
  function takeHold(name: string, before: LocatedEntry, { token, deadline }: Hold): JournalEntry | undefined {
    return withFileLock(files, name, () => {
      if (JSON.stringify(locator.find(name)) !== JSON.stringify(before)) return undefined;
      const copies = days.listCopies(name);
      const entry: JournalEntry = { ...before.stored.entry, format: 2, token, deadline };
      const text = JSON.stringify({ entry, owner: getThisProcess() });
      try {
        if (!putOpen(before, name, text)) return undefined;
      } catch (error) {
        // The write may have succeeded all the same, so the file may name this process as holder.
        release(files.at(name), token);
        throw error;
      }
      rememberHold(files.at(name), token, text);
      // What was settled moves back. Its settled file goes last, so that nothing is lost.
      for (const copy of copies) files.remove(copy);
      return entry;
    });
  }

  /**
   * Keeps a settled entry for another week after it was used: no attempt of an edit may be removed before the others.
   */
  function touch(name: string, { file, stored }: LocatedEntry): void {
    if (!isSettled(stored.entry)) return;
    const today = days.toFile(name);
    try {
      if (file === name) fs.utimesSync(files.at(name), new Date(), new Date());
      else if (file !== today) files.move(file, today);
    } catch {
      // It went in the meantime, or is another user's.
    }
  }

  return {
    add(entry, { isNew = false } = {}) {
      makeJournalFolder(dir);
      const name = toFileName(entry);
      const text = JSON.stringify({ entry, owner: getThisProcess() });
      if (!isNew && creation.isSettledHere(name, entry)) return isHeldUnder(name, entry.token);
      if (!creation.create(name, entry, text)) return isHeldUnder(name, entry.token);
      if (!isNew && creation.wasSettledMeanwhile(name)) return false;
      rememberHold(files.at(name), entry.token, text);
      return true;
    },
    get(key) {
      const name = toFileName(key);
      const found = locator.find(name);
      if (found) touch(name, found);
      return found?.stored.entry;
    },
    claim(key, hold) {
      const name = toFileName(key);
      const known = locator.find(name);
      if (known === undefined) return undefined;
      const before = getHoldState(files.at(name), known.stored);
      const isOwn = before.isHeld && isHeldUnder(name, hold.token);
      const entry = before.isHeld && !isOwn ? undefined : takeHold(name, known, hold);
      if (entry) return { entry };
      // Somebody was faster, or removed it.
      const now = locator.find(name);
      const state = now && getHoldState(files.at(name), now.stored);
      if (!state) return undefined;
      const until = state.isHeld ? state.until : undefined;
      return { heldUntil: until === undefined ? undefined : new Date(until).toISOString() };
    },
    settle(entry) {
      const isOwn = settle(entry);
      cleaner.afterSettlement();
      return isOwn;
    },
    async list(target, options = {}): Promise<JournalListing> {
      makeJournalFolder(dir);
      cleaner.beforeList();
      return list(target, options);
    },
    remove(key, token) {
      const name = toFileName(key);
      const path = files.at(name);
      // Held or not, this process no longer uses an entry that is to be removed, even if the removal fails.
      if (token === undefined) releaseAny(path);
      else if (findHeldText(path, token) !== undefined) release(path, token);
      // If it cannot be read this throws: it may be there, and be sent later.
      const open = files.read(name);
      const copies = days.listCopies(name);
      if (open === undefined && copies.length === 0) return false;
      const known = locator.find(name);
      if (!known || (token !== undefined && known.stored.entry.token !== token)) return false;
      // The open entry goes last: what is left after a crash is not an earlier state of it.
      for (const copy of copies) fs.rmSync(files.at(copy), { force: true });
      fs.rmSync(path, { force: true });
      forgetAllHolds(path);
      return true;
    },
  };
}

/** Makes the folder of a journal. Says what to do if that is not possible. */
function makeJournalFolder(dir: string): void {
  try {
    makeFolder(dir);
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(
      `The directory ${dir} of the journal cannot be created: ${message}. Pass another directory to fileJournal().`,
      { cause },
    );
  }
}
