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
import type { JournalFailureReason } from '../../errors/base.ts';
import {
  type EntryKey,
  type Hold,
  isSettled,
  type Journal,
  type JournalEntry,
  type JournalListing,
  type JournalProblem,
  selectPage,
  wasStale,
} from '../journal.ts';
import { cleaningSteps } from './cleaning.ts';
import { createEntryLocator, type LocatedEntry } from './entry-locator.ts';
import {
  findHeldText,
  forgetAllHolds,
  forgetHold,
  getHoldState,
  release,
  releaseAny,
  rememberHold,
} from './holds.ts';
import { listSteps } from './list-steps.ts';
import { createSettledDays } from './settled-days.ts';
import { runInBackground, runInSlices, type Steps } from './slices.ts';

export interface FileJournalOptions {
  /** Flushes every entry to the disk, so that it survives a power cut. Default false: it survives a crash. */
  readonly durable?: boolean;
}

/** Returns the default folder: `$XDG_STATE_HOME/orgchat/journal`, or `~/.local/state/orgchat/journal`. */
export function defaultJournalDir(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const state = process.platform === 'win32' ? LOCALAPPDATA : XDG_STATE_HOME;
  return join(state || join(homedir(), '.local', 'state'), 'orgchat', 'journal');
}

/**
 * Creates a journal in a folder, with one file per operation: readable by its owner alone, and complete or not there at
 * all. Several processes can share it. It survives `kill -9`; with `durable`, a power cut.
 *
 * @example
 * const client = createClient({ journal: fileJournal('./journal') });
 * await client.operations.resumeAll();
 */
export function fileJournal(
  place: string = defaultJournalDir(),
  { durable = false }: FileJournalOptions = {},
): Journal {
  // Fixed now: a program may change its working directory.
  const dir = resolve(place);
  const files = openAtomicDirectory(dir, durable);
  const days = createSettledDays(files);
  const digests = new Map<string, string>();
  const places = createEntryLocator(files, days, nameOf);
  const cleaning = createCleaner(() => cleaningSteps(files, days, places));

  function nameOf({ operationId, target }: EntryKey): string {
    let digest = digests.get(target);
    if (digest === undefined) {
      digest = shortDigest(target);
      digests.set(target, digest);
    }
    return `${operationId}.${digest}.json`;
  }

  /** Returns whether the text of a file belongs to the hold with this token. */
  function isHeldText(name: string, text: string, token: string | undefined): boolean {
    if (text === findHeldText(files.at(name), token)) return true;
    const found = places.parse(name, text);
    return 'entry' in found && token !== undefined && found.entry.token === token;
  }

  function isHeldUnder(name: string, token: string | undefined): boolean {
    const known = places.storedIn(name);
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
      if (JSON.stringify(places.find(name)) !== JSON.stringify(before)) return undefined;
      const copies = days.copiesOf(name);
      const entry: JournalEntry = { ...before.stored.entry, format: 2, token, deadline };
      const text = JSON.stringify({ entry, owner: getThisProcess() });
      try {
        if (!putOpen(before, name, text)) return undefined;
      } catch (error) {
        // It may be there, in the name of this process.
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
   * Renames an unreadable file that is in the place of a new entry. This is safe if the server recognizes a change
   * that was applied. Returns whether the place is free now. Throws if the file may be about a write that must not be
   * sent again, or if another process may be using it.
   */
  function quarantineUnreadable(place: string, entry: JournalEntry): boolean {
    const text = files.read(place);
    if (text === undefined) return true;
    const found = places.parse(place, text);
    if ('entry' in found) return false;
    // It may be a keyword write that was sent, a stale attempt of an edit, or an entry of a later version.
    const matters = entry.kind === 'keywords' || entry.body.includes('"expectedRevision"');
    if (matters || found.reason === 'format')
      throw unusable(
        'journal-entry-unusable',
        `${place}: ${found.message}. Move the file out of the journal.`,
      );
    const moved = withFileLock(files, nameOf(entry), () => {
      if (files.read(place) !== text) return undefined;
      files.move(place, `${place}.unreadable-${Date.now()}`);
      return true;
    });
    if (!moved && files.read(place) === text) {
      throw unusable('journal-busy', `${place}: another process is changing this entry. Try again.`);
    }
    return moved ?? false;
  }

  /** Creates the file of a new entry; false if there is one. */
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

  /**
   * Returns whether another process settled this entry just before it was created here. Then the new file is removed.
   */
  function wasSettledMeanwhile(name: string): boolean {
    try {
      if (days.copiesOf(name).length === 0) return false;
    } catch (error) {
      files.remove(name);
      throw error;
    }
    fs.unlinkSync(files.at(name));
    return true;
  }

  /**
   * Keeps a settled entry for another week after it was used: no attempt of an edit may be removed before the others.
   */
  function touch(name: string, { place, stored }: LocatedEntry): void {
    if (!isSettled(stored.entry)) return;
    const today = days.placeOf(name);
    try {
      if (place === name) fs.utimesSync(files.at(name), new Date(), new Date());
      else if (place !== today) files.move(place, today);
    } catch {
      // It went in the meantime, or is another user's.
    }
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
    const place = days.placeOf(name);
    try {
      // A part of it, left by a crash, does not count as long as the open entry is there.
      if (!files.write(place, text)) files.replace(place, text, name);
      return true;
    } catch {
      return false;
    }
  }

  /** Writes the outcome of an entry; undefined if its hold was lost. */
  function settleOwn(name: string, entry: JournalEntry): { readonly isDone: boolean } | undefined {
    const now = files.read(name);
    if (now === undefined) return isSettledUnder(name, entry.token) ? { isDone: true } : undefined;
    return isHeldText(name, now, entry.token) ? { isDone: record(name, entry) } : undefined;
  }

  /** Returns whether the same settlement was made before, and its reply was lost. */
  function isSettledUnder(name: string, token: string | undefined): boolean {
    const known = places.find(name)?.stored.entry;
    return known !== undefined && token !== undefined && known.token === token;
  }

  /** Settles after the end of a hold. Another process may be taking the entry, so this needs the lock. */
  function settleLate(name: string, entry: JournalEntry): { readonly isDone: boolean } | undefined {
    return withFileLock(files, name, () => settleOwn(name, entry));
  }

  function isOver(name: string, entry: JournalEntry): boolean {
    return !getHoldState(files.at(name), { entry, owner: getThisProcess() }).isHeld;
  }

  return {
    add(entry, { isNew = false } = {}) {
      makeJournalFolder(dir);
      const name = nameOf(entry);
      const text = JSON.stringify({ entry, owner: getThisProcess() });
      const isKnown = (): boolean => days.copiesOf(name).some((copy) => !quarantineUnreadable(copy, entry));
      if (!isNew && isKnown()) return isHeldUnder(name, entry.token);
      if (!create(name, entry, text)) return isHeldUnder(name, entry.token);
      if (!isNew && wasSettledMeanwhile(name)) return false;
      rememberHold(files.at(name), entry.token, text);
      return true;
    },
    get(key) {
      const name = nameOf(key);
      const found = places.find(name);
      if (found) touch(name, found);
      return found?.stored.entry;
    },
    claim(key, hold) {
      const name = nameOf(key);
      const known = places.find(name);
      if (known === undefined) return undefined;
      const before = getHoldState(files.at(name), known.stored);
      const isOwn = before.isHeld && isHeldUnder(name, hold.token);
      const entry = before.isHeld && !isOwn ? undefined : takeHold(name, known, hold);
      if (entry) return { entry };
      // Somebody was faster, or removed it.
      const now = places.find(name);
      const state = now && getHoldState(files.at(name), now.stored);
      if (!state) return undefined;
      const until = state.isHeld ? state.until : undefined;
      return { heldUntil: until === undefined ? undefined : new Date(until).toISOString() };
    },
    settle(entry) {
      const name = nameOf(entry);
      const path = files.at(name);
      let settled: { readonly isDone: boolean } | undefined;
      try {
        settled = isOver(name, entry) ? settleLate(name, entry) : settleOwn(name, entry);
      } catch (error) {
        release(path, entry.token);
        if (hadNoEffect(entry)) files.remove(name);
        throw error;
      }
      if (settled?.isDone === false) release(path, entry.token);
      else forgetHold(path, entry.token);
      cleaning.afterSettlement();
      return settled !== undefined;
    },
    async list(target, options = {}): Promise<JournalListing> {
      makeJournalFolder(dir);
      cleaning.beforeList();
      const problems: JournalProblem[] = [];
      const found = { entries: new Map<string, JournalEntry>(), problems };
      await runInSlices(listSteps(files, days, places, { ...options, target, dir }, found));
      return { entries: selectPage([...found.entries.values()], options), problems: byPlace(problems) };
    },
    remove(key, token) {
      const name = nameOf(key);
      const path = files.at(name);
      // Held or not, this process no longer uses an entry that is to be removed, even if the removal fails.
      if (token === undefined) releaseAny(path);
      else if (findHeldText(path, token) !== undefined) release(path, token);
      // If it cannot be read this throws: it may be there, and be sent later.
      const open = files.read(name);
      const copies = days.copiesOf(name);
      if (open === undefined && copies.length === 0) return false;
      const known = places.find(name);
      if (!known || (token !== undefined && known.stored.entry.token !== token)) return false;
      // The open entry goes last: what is left after a crash is not an earlier state of it.
      for (const copy of copies) fs.rmSync(files.at(copy), { force: true });
      fs.rmSync(path, { force: true });
      forgetAllHolds(path);
      return true;
    },
  };
}

/** An error about the file of an entry. Its `reason` becomes that of `JOURNAL_FAILED`. */
function unusable(reason: JournalFailureReason, message: string): Error {
  return Object.assign(new Error(message), { reason });
}

const byPlace = (problems: readonly JournalProblem[]): readonly JournalProblem[] =>
  [...problems].sort((a, b) => (a.location < b.location ? -1 : 1));

/** Makes the folder of a journal. Says what to do if that is not possible. */
function makeJournalFolder(dir: string): void {
  try {
    makeFolder(dir);
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(
      `The folder of the journal cannot be created. Pass another folder to fileJournal(). ${message}`,
      { cause },
    );
  }
}

/** Decides when a folder is cleaned: at first, and then after 1,000 settlements or an hour. */
function createCleaner(steps: () => Steps) {
  const everySettlements = 1_000;
  const everyMs = 60 * 60 * 1000;
  let settlements = 0;
  let startedAt = -Infinity;
  let isAtWork = false;

  function start(): void {
    if (isAtWork) return;
    [settlements, startedAt, isAtWork] = [0, performance.now(), true];
    runInBackground(steps(), () => {
      isAtWork = false;
    });
  }
  const isTime = (): boolean => performance.now() - startedAt > everyMs;

  return {
    beforeList: start,
    afterSettlement(): void {
      settlements++;
      if (settlements >= everySettlements || isTime()) start();
    },
  };
}

/**
 * Returns whether an entry was refused or not sent, so that a later resumeAll() must not send it. A stale attempt of an
 * edit is kept: its entry shows that its id must not be used again.
 */
function hadNoEffect(entry: JournalEntry): boolean {
  return isSettled(entry) && entry.state !== 'applied' && !wasStale(entry);
}
