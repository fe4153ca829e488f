import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { alone } from './claims.ts';
import { clean } from './cleaning.ts';
import { forget, forgetAll, heldText, hold, holdStateOf, letGo, letGoOfAny } from './holds.ts';
import {
  type EntryKey,
  type Hold,
  isSettled,
  type Journal,
  type JournalEntry,
  type JournalProblem,
  pageOf,
  wasStale,
} from './journal.ts';
import { makeFolder } from './make-folder.ts';
import { claimName, draftName, entryName } from './names.ts';
import { thisProcess } from './owner.ts';
import { parseEntry, type Stored } from './stored.ts';
import { codeOf, digestOf, wholeFiles } from './whole-files.ts';

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
  let cleaned = false;
  const digests = new Map<string, string>();

  function nameOf({ operationId, target }: EntryKey): string {
    let digest = digests.get(target);
    if (digest === undefined) {
      digest = digestOf(target);
      digests.set(target, digest);
    }
    return `${operationId}.${digest}.json`;
  }

  function parsed(name: string, text: string): Stored | JournalProblem {
    const found = parseEntry(name, text);
    return 'entry' in found && nameOf(found.entry) !== name
      ? { where: name, reason: 'foreign', message: 'it holds another operation than it is named after' }
      : found;
  }

  function readStored(name: string): Stored | JournalProblem | undefined {
    try {
      const text = files.read(name);
      return text === undefined ? undefined : parsed(name, text);
    } catch (error) {
      return { where: name, reason: 'foreign', message: `it cannot be read (${codeOf(error)})` };
    }
  }

  function storedIn(name: string): Stored | undefined {
    const found = readStored(name);
    return found && 'entry' in found ? found : undefined;
  }
  const stored = (key: EntryKey): Stored | undefined => storedIn(nameOf(key));

  /** Whether what is in a file belongs to the hold of a token. */
  function isHeldText(name: string, text: string, token: string | undefined): boolean {
    if (text === heldText(files.at(name), token)) return true;
    const found = parsed(name, text);
    return 'entry' in found && token !== undefined && found.entry.token === token;
  }

  function isHeldUnder(name: string, token: string | undefined): boolean {
    const known = storedIn(name);
    return token !== undefined && known?.owner !== undefined && known.entry.token === token;
  }

  /** Takes what nobody alive holds, unless it changed since it was looked at. */
  function take(name: string, before: Stored, { token, deadline }: Hold): JournalEntry | undefined {
    return alone(files, name, () => {
      const now = readStored(name);
      if (JSON.stringify(now) !== JSON.stringify(before)) return undefined;
      const entry = { ...before.entry, token, deadline };
      const text = JSON.stringify({ entry, owner: thisProcess() });
      try {
        files.replace(name, text);
      } catch (error) {
        // It may be there, in the name of this process.
        letGo(files.at(name), token);
        throw error;
      }
      hold(files.at(name), token, text);
      return entry;
    });
  }

  /**
   * Whether there is room for a new entry by now. What has its name may be none that matters, as the server recognizes
   * a change that was applied; then it stays under another name. Throws where it cannot be read: somebody may be at
   * work on it.
   */
  function makeRoom(name: string, entry: JournalEntry): boolean {
    const text = files.read(name);
    if (text === undefined) return true;
    const found = parsed(name, text);
    if ('entry' in found) return false;
    // It may be a keyword write that was sent, a stale try of an edit, or what a later version is at work on.
    const matters = entry.kind === 'keywords' || entry.body.includes('"expectedRevision"');
    if (matters || found.reason === 'format') throw new Error(`${name}: ${found.message}; move it away`);
    const moved = alone(files, name, () => {
      if (files.read(name) !== text) return undefined;
      fs.renameSync(files.at(name), files.at(`${name}.unreadable-${Date.now()}`));
      return true;
    });
    if (!moved && files.read(name) === text) throw new Error(`${name}: another process is at work on it`);
    return moved ?? false;
  }

  /** What is asked for stays for another week: of the tries of an edit, none is to go before the others. */
  function keep(name: string): void {
    const now = new Date();
    try {
      fs.utimesSync(files.at(name), now, now);
    } catch {
      // It went meanwhile, or is another user's.
    }
  }

  function cleanUp(names: readonly string[]): void {
    cleaned = true;
    clean(files, names, (name) => storedIn(name)?.entry);
  }

  return {
    add(entry) {
      makeFolder(dir);
      const name = nameOf(entry);
      const text = JSON.stringify({ entry, owner: thisProcess() });
      if (!files.create(name, text)) {
        if (!makeRoom(name, entry)) return isHeldUnder(name, entry.token);
        if (!files.create(name, text)) {
          // Such as a link that leads nowhere: it is there and is not.
          if (files.read(name) === undefined) throw new Error(`${name}: it cannot be found; move it away`);
          return false;
        }
      }
      hold(files.at(name), entry.token, text);
      return true;
    },
    get(key) {
      const entry = stored(key)?.entry;
      if (entry && isSettled(entry)) keep(nameOf(entry));
      return entry;
    },
    claim(key, hold) {
      const name = nameOf(key);
      const known = stored(key);
      if (known === undefined) return undefined;
      const before = holdStateOf(files.at(name), known);
      const isOwn = before.isHeld && isHeldUnder(name, hold.token);
      const entry = before.isHeld && !isOwn ? undefined : take(name, known, hold);
      if (entry) return { entry };
      // Somebody was faster, or removed it.
      const now = stored(key);
      const state = now && holdStateOf(files.at(name), now);
      if (!state) return undefined;
      const until = state.isHeld ? state.until : undefined;
      return { heldUntil: until === undefined ? undefined : new Date(until).toISOString() };
    },
    settle(entry) {
      const name = nameOf(entry);
      const path = files.at(name);
      try {
        const now = files.read(name);
        if (now === undefined || !isHeldText(name, now, entry.token)) {
          forget(path, entry.token);
          return false;
        }
        files.replace(name, JSON.stringify({ entry }));
      } catch (error) {
        letGo(path, entry.token);
        if (cameToNothing(entry)) files.drop(name);
        throw error;
      }
      forget(path, entry.token);
      try {
        if (!cleaned) cleanUp(fs.readdirSync(dir));
      } catch {
        // The folder cannot be listed; what was recorded is recorded.
      }
      return true;
    },
    list(target, options) {
      makeFolder(dir);
      const problems: JournalProblem[] = [];
      const entries: JournalEntry[] = [];
      if (process.platform !== 'win32' && (fs.statSync(dir).mode & 0o077) !== 0) {
        problems.push({
          where: dir,
          reason: 'permissions',
          message: 'other users can read this folder: chmod 700',
        });
      }
      const names = fs.readdirSync(dir);
      cleanUp(names);
      for (const name of names) {
        if (claimName.test(name) || draftName.test(name)) continue;
        const found = entryName.test(name) ? readStored(name) : unexpected(name);
        if (found === undefined) continue;
        if (!('entry' in found)) problems.push(found);
        else if (found.entry.target === target) entries.push(found.entry);
      }
      return { entries: pageOf(entries, options), problems };
    },
    remove(key, token) {
      const name = nameOf(key);
      const path = files.at(name);
      // Held or not, nobody is at work on what is to go, even if it cannot go.
      if (token === undefined) letGoOfAny(path);
      else if (heldText(path, token) !== undefined) letGo(path, token);
      // If it cannot be read this throws: it may be there, and be sent later.
      const text = files.read(name);
      if (text === undefined) return false;
      const found = parsed(name, text);
      if (!('entry' in found) || (token !== undefined && found.entry.token !== token)) return false;
      fs.rmSync(path, { force: true });
      forgetAll(path);
      return true;
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

function unexpected(where: string): JournalProblem {
  return { where, reason: 'foreign', message: 'it is no entry of this journal' };
}
