import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type EntryKey, isSettled, type Journal, type JournalEntry, type JournalProblem } from './journal.ts';
import { makeFolder } from './make-folder.ts';
import { isAlive, isThisProcess, type Owner, thisProcess } from './owner.ts';
import { parseEntry, type Stored } from './stored.ts';

export interface FileJournalOptions {
  /** Waits until the disk itself has every entry, so that it survives a power cut. Default false: a crash. */
  readonly durable?: boolean;
}

const entryName = /^[0-9a-f-]{36}\.[0-9a-f]{16}\.json$/;
const ownName = /^[0-9a-f-]{36}\.[0-9a-f]{16}\.json(?:\.claim)?(?:\.claim|\.(\d+)\.[\w-]+\.tmp)$/;
/** How long settled entries are kept: a week. */
const keepSettledMs = 7 * 24 * 60 * 60 * 1000;
/** A claim lasts for milliseconds; one this old was left by a process that died in it. */
const oldestClaimMs = 10_000;

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
  let cleaned = false;
  let temporary = 0;
  const own = `.${process.pid}.${Date.now().toString(36)}-`;

  const digests = new Map<string, string>();
  /** What could not be settled: nobody is at work on it any more, though its file says so. */
  const unsettled = new Set<string>();

  function nameOf({ operationId, target }: EntryKey): string {
    let digest = digests.get(target);
    if (digest === undefined) {
      digest = createHash('sha256').update(target).digest('hex').slice(0, 16);
      digests.set(target, digest);
    }
    return `${operationId}.${digest}.json`;
  }

  /** Joined once: the names below it have nothing to be made normal, and each change needs several paths. */
  const below = join(dir, 'name').slice(0, -'name'.length);
  const at = (name: string): string => below + name;

  function syncFolder(): void {
    if (!durable || process.platform === 'win32') return;
    const folder = fs.openSync(dir, 'r');
    fs.fsyncSync(folder);
    fs.closeSync(folder);
  }

  /**
   * Writes a whole file beside its place and puts it there; where that fails, nothing of it stays. What a crash leaves
   * carries the number of a dead process.
   */
  function write(name: string, text: string, put: (draft: string) => void): void {
    const draft = at(`${name}${own}${(temporary++).toString(36)}.tmp`);
    const file = fs.openSync(draft, 'wx', 0o600);
    // From here on the draft is this call's own, to be removed.
    try {
      try {
        // Not writeSync: on a disk that is filling up it writes a part and is content.
        fs.writeFileSync(file, text);
        if (durable) fs.fsyncSync(file);
      } finally {
        fs.closeSync(file);
      }
      put(draft);
    } catch (error) {
      fs.rmSync(draft, { force: true });
      throw error;
    }
    syncFolder();
  }

  function replace(name: string, stored: Stored): void {
    write(name, JSON.stringify(stored), (draft) => fs.renameSync(draft, at(name)));
  }

  /** Puts a new file in its place, unless one is there: of several processes one succeeds. */
  function create(name: string, text: string): boolean {
    try {
      write(name, text, (draft) => {
        try {
          fs.linkSync(draft, at(name));
        } catch (error) {
          if (codeOf(error) === 'EEXIST') throw error;
          // A file system without links.
          fs.copyFileSync(draft, at(name), fs.constants.COPYFILE_EXCL);
        }
        fs.unlinkSync(draft);
      });
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  }

  function readStored(name: string): Stored | JournalProblem | undefined {
    let text: string;
    try {
      text = fs.readFileSync(at(name), 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      return { where: name, reason: 'foreign', message: `it cannot be read (${codeOf(error)})` };
    }
    const found = parseEntry(name, text);
    return 'entry' in found && nameOf(found.entry) !== name
      ? { where: name, reason: 'foreign', message: 'it holds another operation than it is named after' }
      : found;
  }

  function stored(key: EntryKey): Stored | undefined {
    const found = readStored(nameOf(key));
    return found && 'entry' in found ? found : undefined;
  }

  /** Whether the holder of an entry may still be at work on it. */
  function isHeld({ owner, entry }: Stored): boolean {
    if (owner === undefined) return false;
    // No call outlives its deadline by much, so after it nobody of this or an unknown process is at work.
    const isOver = Date.now() > Date.parse(entry.deadline) + 5_000;
    if (isThisProcess(owner)) return !isOver && !unsettled.has(nameOf(entry));
    return isAlive(owner) ?? !isOver;
  }

  /** Takes what nobody alive holds. While it does, its claim stands beside the entry, so that one process succeeds. */
  function take(name: string, before: Stored, deadline: string): JournalEntry | undefined {
    const claim = `${name}.claim`;
    const self = JSON.stringify(thisProcess());
    if (!create(claim, self)) {
      if (!isLeftBehind(claim)) return undefined;
      fs.rmSync(at(claim), { force: true });
      if (!create(claim, self)) return undefined;
    }
    try {
      const now = readStored(name);
      if (!now || !('entry' in now) || markOf(now.owner) !== markOf(before.owner)) return undefined;
      const entry = { ...now.entry, deadline };
      replace(name, { entry, owner: thisProcess() });
      unsettled.delete(name);
      return entry;
    } finally {
      fs.rmSync(at(claim), { force: true });
    }
  }

  function isLeftBehind(claim: string): boolean {
    try {
      const age = Date.now() - fs.statSync(at(claim)).mtimeMs;
      return age > oldestClaimMs || isAlive(JSON.parse(fs.readFileSync(at(claim), 'utf8'))) === false;
    } catch {
      // It went meanwhile: whoever had it was at work.
      return false;
    }
  }

  /** What is asked for stays for another week: of the tries of an edit, none is to go before the others. */
  function keep(name: string): void {
    const now = new Date();
    try {
      fs.utimesSync(at(name), now, now);
    } catch {
      // It went meanwhile, or is another user's.
    }
  }

  /** Removes entries that were settled a week ago, and what dead processes left half written. */
  function clean(names: readonly string[]): void {
    cleaned = true;
    const horizon = Date.now() - keepSettledMs;
    for (const name of names) {
      const pid = ownName.exec(name)?.[1];
      if (pid !== undefined && isAlive({ ...thisProcess(), pid: Number(pid), start: '' }) === false) {
        fs.rmSync(at(name), { force: true });
      }
      if (
        !entryName.test(name) ||
        (fs.statSync(at(name), { throwIfNoEntry: false })?.mtimeMs ?? horizon) >= horizon
      )
        continue;
      const found = readStored(name);
      if (
        found &&
        'entry' in found &&
        isSettled(found.entry) &&
        Date.parse(found.entry.updatedAt) < horizon
      ) {
        fs.rmSync(at(name), { force: true });
      }
    }
  }

  return {
    add(entry) {
      makeFolder(dir);
      const name = nameOf(entry);
      unsettled.delete(name);
      const text = JSON.stringify({ entry, owner: thisProcess() });
      if (create(name, text)) return true;
      const known = readStored(name);
      if (!known || 'entry' in known) return false;
      const { where, reason, message } = known;
      // What it says may matter: a keyword write that was sent must not be sent again, a later version may be at work.
      if (entry.kind === 'keywords' || reason === 'format')
        throw new Error(`${where}: ${message}; move it away`);
      // A change is recognized by the server, so here it must not be in the way; it stays, under another name.
      fs.renameSync(at(name), at(`${name}.unreadable-${Date.now()}`));
      return create(name, text);
    },
    get(key) {
      const entry = stored(key)?.entry;
      if (entry && isSettled(entry)) keep(nameOf(entry));
      return entry;
    },
    claim(key, deadline) {
      const known = stored(key);
      if (known === undefined) return undefined;
      return (!isHeld(known) && take(nameOf(key), known, deadline)) || 'held';
    },
    settle(entry) {
      const name = nameOf(entry);
      if (!fs.existsSync(at(name))) return;
      try {
        replace(name, { entry });
      } catch (error) {
        unsettled.add(name);
        throw error;
      }
      if (!cleaned) clean(fs.readdirSync(dir));
    },
    list(target) {
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
      clean(names);
      for (const name of names) {
        if (ownName.test(name)) continue;
        const found = entryName.test(name) ? readStored(name) : unexpected(name);
        if (found === undefined) continue;
        if (!('entry' in found)) problems.push(found);
        else if (found.entry.target === target) entries.push(found.entry);
      }
      return { entries: entries.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)), problems };
    },
    remove(key) {
      const name = nameOf(key);
      if (stored(key) === undefined) return false;
      // Held or not, nobody is at work on what is to go, even where it cannot.
      unsettled.add(name);
      fs.rmSync(at(name), { force: true });
      unsettled.delete(name);
      return true;
    },
  };
}

function unexpected(where: string): JournalProblem {
  return { where, reason: 'foreign', message: 'it is no entry of this journal' };
}

function markOf(owner: Owner | undefined): string {
  return owner === undefined ? 'nobody' : `${owner.pid}-${owner.start}`;
}

/** What the file system throws has a code. */
function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
