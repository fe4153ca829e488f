import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { alone } from './claims.ts';
import { cleaningSteps } from './cleaning.ts';
import { entryPlaces, type Found } from './entry-places.ts';
import { forget, forgetAll, heldText, hold, holdStateOf, letGo, letGoOfAny } from './holds.ts';
import {
  type EntryKey,
  type Hold,
  isSettled,
  type Journal,
  type JournalEntry,
  type JournalListing,
  type JournalProblem,
  pageOf,
  wasStale,
} from './journal.ts';
import { listSteps } from './listing.ts';
import { makeFolder } from './make-folder.ts';
import { thisProcess } from './owner.ts';
import { settledDays } from './settled-days.ts';
import { runInBackground, runInSlices, type Steps } from './slices.ts';
import { digestOf, wholeFiles } from './whole-files.ts';

export interface FileJournalOptions {
  /** Waits until the disk itself has every entry, so that it survives a power cut. Default false: a crash. */
  readonly durable?: boolean;
}

/** Where entries are kept when no folder is named: `$XDG_STATE_HOME/orgchat/journal`, `~/.local/state/…` without it. */
export function defaultJournalDir(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const state = process.platform === 'win32' ? LOCALAPPDATA : XDG_STATE_HOME;
  return join(state || join(homedir(), '.local', 'state'), 'orgchat', 'journal');
}

/**
 * A journal in a folder: one file an operation, readable by its user alone, complete or not there at all. Several
 * processes can share it. It survives `kill -9`; with `durable`, a power cut.
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
  const files = wholeFiles(dir, durable);
  const days = settledDays(files);
  const digests = new Map<string, string>();
  const places = entryPlaces(files, days, nameOf);
  const cleaning = cleaner(() => cleaningSteps(files, days, places));

  function nameOf({ operationId, target }: EntryKey): string {
    let digest = digests.get(target);
    if (digest === undefined) {
      digest = digestOf(target);
      digests.set(target, digest);
    }
    return `${operationId}.${digest}.json`;
  }

  /** Whether what is in a file belongs to the hold of a token. */
  function isHeldText(name: string, text: string, token: string | undefined): boolean {
    if (text === heldText(files.at(name), token)) return true;
    const found = places.parse(name, text);
    return 'entry' in found && token !== undefined && found.entry.token === token;
  }

  function isHeldUnder(name: string, token: string | undefined): boolean {
    const known = places.storedIn(name);
    return token !== undefined && known?.owner !== undefined && known.entry.token === token;
  }

  /** Puts the text of a new hold among the open entries; false if somebody else's is there. */
  function putOpen({ isOpen }: Found, name: string, text: string): boolean {
    if (!isOpen) return files.create(name, text);
    files.replace(name, text);
    return true;
  }

  /** Takes what nobody alive holds, unless it changed since it was looked at. */
  function take(name: string, before: Found, { token, deadline }: Hold): JournalEntry | undefined {
    return alone(files, name, () => {
      if (JSON.stringify(places.find(name)) !== JSON.stringify(before)) return undefined;
      const copies = days.copiesOf(name);
      const entry: JournalEntry = { ...before.stored.entry, format: 2, token, deadline };
      const text = JSON.stringify({ entry, owner: thisProcess() });
      try {
        if (!putOpen(before, name, text)) return undefined;
      } catch (error) {
        // It may be there, in the name of this process.
        letGo(files.at(name), token);
        throw error;
      }
      hold(files.at(name), token, text);
      // What was settled moves back. Its settled file goes last, so that nothing is lost.
      for (const copy of copies) files.drop(copy);
      return entry;
    });
  }

  /**
   * Whether there is room for a new entry by now in a place that is taken. What is there may be none that matters, as the
   * server recognizes a change that was applied; then it stays under another name. Throws if it cannot be read: somebody
   * may be at work on it.
   */
  function makeRoom(place: string, entry: JournalEntry): boolean {
    const text = files.read(place);
    if (text === undefined) return true;
    const found = places.parse(place, text);
    if ('entry' in found) return false;
    // It may be a keyword write that was sent, a stale try of an edit, or what a later version is at work on.
    const matters = entry.kind === 'keywords' || entry.body.includes('"expectedRevision"');
    if (matters || found.reason === 'format') throw new Error(`${place}: ${found.message}; move it away`);
    const moved = alone(files, nameOf(entry), () => {
      if (files.read(place) !== text) return undefined;
      files.move(place, `${place}.unreadable-${Date.now()}`);
      return true;
    });
    if (!moved && files.read(place) === text) {
      // The field is for programs: the file need not be moved away, since another process is about to do it.
      throw Object.assign(new Error(`${place}: another process is at work on it`), { isInUse: true });
    }
    return moved ?? false;
  }

  /** Puts a new entry in its place; false if one is there. */
  function create(name: string, entry: JournalEntry, text: string): boolean {
    if (files.create(name, text)) return true;
    if (!makeRoom(name, entry)) return false;
    if (files.create(name, text)) return true;
    // Such as a link that leads nowhere: it is there and is not.
    if (files.read(name) === undefined) throw new Error(`${name}: it cannot be found; move it away`);
    return false;
  }

  /** Whether another process added and settled an entry just before it was created: then the new one goes. */
  function wasSettledMeanwhile(name: string): boolean {
    try {
      if (days.copiesOf(name).length === 0) return false;
    } catch (error) {
      files.drop(name);
      throw error;
    }
    fs.unlinkSync(files.at(name));
    return true;
  }

  /** What is asked for stays for another week: of the tries of an edit, none is to go before the others. */
  function keep(name: string, { place, stored }: Found): void {
    if (!isSettled(stored.entry)) return;
    const today = days.placeOf(name);
    try {
      if (place === name) fs.utimesSync(files.at(name), new Date(), new Date());
      else if (place !== today) files.move(place, today);
    } catch {
      // It went in the meantime, or is another user's.
    }
  }

  /** Records what a held entry came to. A settled one leaves the open ones; false if its open file does not go. */
  function record(name: string, entry: JournalEntry): boolean {
    const text = JSON.stringify({ entry });
    if (isSettled(entry) && putSettled(name, text)) return files.drop(name);
    files.replace(name, text);
    return true;
  }

  /** False if there is no way to the folder of the day: then the entry is settled where it is. */
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

  /** Records what an entry came to; undefined if its hold was lost. */
  function settleOwn(name: string, entry: JournalEntry): { readonly isDone: boolean } | undefined {
    const now = files.read(name);
    if (now === undefined) return isSettledUnder(name, entry.token) ? { isDone: true } : undefined;
    return isHeldText(name, now, entry.token) ? { isDone: record(name, entry) } : undefined;
  }

  /** Whether this was asked for before, and the answer was lost. */
  function isSettledUnder(name: string, token: string | undefined): boolean {
    const known = places.find(name)?.stored.entry;
    return known !== undefined && token !== undefined && known.token === token;
  }

  /** Once a hold is over somebody may be about to take the entry, so a late holder settles as one takes it: alone. */
  function settleLate(name: string, entry: JournalEntry): { readonly isDone: boolean } | undefined {
    return alone(files, name, () => settleOwn(name, entry));
  }

  function isOver(name: string, entry: JournalEntry): boolean {
    return !holdStateOf(files.at(name), { entry, owner: thisProcess() }).isHeld;
  }

  return {
    add(entry, { isNew = false } = {}) {
      makeFolder(dir);
      const name = nameOf(entry);
      const text = JSON.stringify({ entry, owner: thisProcess() });
      const isKnown = (): boolean => days.copiesOf(name).some((copy) => !makeRoom(copy, entry));
      if (!isNew && isKnown()) return isHeldUnder(name, entry.token);
      if (!create(name, entry, text)) return isHeldUnder(name, entry.token);
      if (!isNew && wasSettledMeanwhile(name)) return false;
      hold(files.at(name), entry.token, text);
      return true;
    },
    get(key) {
      const name = nameOf(key);
      const found = places.find(name);
      if (found) keep(name, found);
      return found?.stored.entry;
    },
    claim(key, hold) {
      const name = nameOf(key);
      const known = places.find(name);
      if (known === undefined) return undefined;
      const before = holdStateOf(files.at(name), known.stored);
      const isOwn = before.isHeld && isHeldUnder(name, hold.token);
      const entry = before.isHeld && !isOwn ? undefined : take(name, known, hold);
      if (entry) return { entry };
      // Somebody was faster, or removed it.
      const now = places.find(name);
      const state = now && holdStateOf(files.at(name), now.stored);
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
        letGo(path, entry.token);
        if (cameToNothing(entry)) files.drop(name);
        throw error;
      }
      if (settled?.isDone === false) letGo(path, entry.token);
      else forget(path, entry.token);
      cleaning.afterSettlement();
      return settled !== undefined;
    },
    async list(target, options = {}): Promise<JournalListing> {
      makeFolder(dir);
      cleaning.beforeList();
      const problems: JournalProblem[] = [];
      const found = { entries: new Map<string, JournalEntry>(), problems };
      await runInSlices(listSteps(files, days, places, { ...options, target, dir }, found));
      return { entries: pageOf([...found.entries.values()], options), problems: byPlace(problems) };
    },
    remove(key, token) {
      const name = nameOf(key);
      const path = files.at(name);
      // Held or not, nobody is at work on what is to go, even if it cannot go.
      if (token === undefined) letGoOfAny(path);
      else if (heldText(path, token) !== undefined) letGo(path, token);
      // If it cannot be read this throws: it may be there, and be sent later.
      const open = files.read(name);
      const copies = days.copiesOf(name);
      if (open === undefined && copies.length === 0) return false;
      const known = places.find(name);
      if (!known || (token !== undefined && known.stored.entry.token !== token)) return false;
      // The open entry goes last: what is left after a crash is not an earlier state of it.
      for (const copy of copies) fs.rmSync(files.at(copy), { force: true });
      fs.rmSync(path, { force: true });
      forgetAll(path);
      return true;
    },
  };
}

const byPlace = (problems: readonly JournalProblem[]): readonly JournalProblem[] =>
  [...problems].sort((a, b) => (a.where < b.where ? -1 : 1));

/** Cleans a folder now and then: at first, and in a long-lived process after many settlements or much time. */
function cleaner(steps: () => Steps) {
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
 * Told as refused or not sent, it must not be sent by a later resumeAll(). A stale try of an edit is known to be spent
 * by its entry, and is refused again.
 */
function cameToNothing(entry: JournalEntry): boolean {
  return isSettled(entry) && entry.state !== 'applied' && !wasStale(entry);
}
