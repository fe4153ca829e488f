import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { isAlive, thisProcess } from './owner.ts';

/** Files of one folder, each there whole or not at all. Names are those below the folder. */
export interface WholeFiles {
  /** Where a file is. */
  at(name: string): string;
  /** The text of a file, undefined where it is not there. Throws where it cannot be read. */
  read(name: string): string | undefined;
  /** Puts a new file in its place, unless one is there: of several processes one succeeds. Where it throws, none is. */
  create(name: string, text: string): boolean;
  /**
   * Writes a new file where it belongs, and its folder if necessary. False if a file is there. A crash may leave a part of
   * it, so something else has to tell that it is complete.
   */
  write(name: string, text: string): boolean;
  /** Puts a file in the place of what is there. Its draft is written beside `beside`. */
  replace(name: string, text: string, beside?: string): void;
  /** Gives a file another place, whose folder is made if necessary. Throws if that is not possible. */
  move(from: string, to: string): void;
  /** Removes a file, where that is possible. Returns whether it is gone. */
  drop(name: string): boolean;
  /** When a file was last written, in milliseconds since the epoch; NaN where it is not there. */
  changedAt(name: string): number;
  /** Whether it was written so long ago that nobody is at work on it, also where the clocks of two machines differ. */
  isOld(name: string): boolean;
  /** Whether this is a draft that a process left when it died. */
  isLeftDraft(name: string): boolean;
}

/** The number of the process, and where that is its number; drafts of earlier versions do not say where. */
const draftName = /\.(\d+)\.(?:([0-9a-f]{8})-)?[\w-]+\.tmp$/;
/** Writing a file takes milliseconds. */
const oldMs = 60 * 60 * 1000;

/** A short name of a text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** With `durable`, what is written is on the disk itself when a call returns. */
export function wholeFiles(dir: string, durable: boolean): WholeFiles {
  let drafts = 0;
  let ownDraft: string | undefined;
  /** Where processes have numbers of their own, as in containers, a number says nothing of a process elsewhere. */
  const here = (): string => digestOf(`${thisProcess().host} ${thisProcess().boot}`).slice(0, 8);

  /** Joined once: the names below it have nothing to be made normal, and each change needs several paths. */
  const below = join(dir, 'name').slice(0, -'name'.length);
  const at = (name: string): string => below + name;

  const changedAt = (name: string): number =>
    fs.statSync(at(name), { throwIfNoEntry: false })?.mtimeMs ?? NaN;
  const isOld = (name: string): boolean => Date.now() - changedAt(name) > oldMs;

  function sync(path: string): void {
    if (!durable || process.platform === 'win32') return;
    const file = fs.openSync(path, 'r');
    try {
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
  }

  function drop(path: string): boolean {
    try {
      fs.unlinkSync(path);
      return true;
    } catch (error) {
      // Else it is another user's, or the folder cannot be written.
      return codeOf(error) === 'ENOENT';
    }
  }

  /** Writes a text to an open file, and closes it. */
  function fill(file: number, text: string): void {
    try {
      // Not writeSync: on a disk that is filling up it writes a part and is content.
      fs.writeFileSync(file, text);
      if (durable) fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
  }

  /** Opens a new file for writing, in a folder that is made if necessary; undefined if a file is there. */
  function openNew(place: string, isAgain = false): number | undefined {
    try {
      return fs.openSync(place, 'wx', 0o600);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return undefined;
      if (codeOf(error) !== 'ENOENT' || isAgain) throw error;
    }
    makeFolder(dirname(place));
    sync(dirname(dirname(place)));
    return openNew(place, true);
  }

  /** Writes a text beside its place, a path. What a crash leaves of it carries the number of a dead process. */
  function draft(place: string, text: string): string {
    ownDraft ??= `.${process.pid}.${here()}-${randomUUID().slice(0, 8)}-`;
    const made = `${place}${ownDraft}${(drafts++).toString(36)}.tmp`;
    const file = fs.openSync(made, 'wx', 0o600);
    // From here on the draft is this call's own, to be removed.
    try {
      fill(file, text);
    } catch (error) {
      drop(made);
      throw error;
    }
    return made;
  }

  /** Gives a draft another name, unless that is taken. */
  function link(from: string, to: string): 'linked' | 'copied' | undefined {
    try {
      fs.linkSync(from, to);
      return 'linked';
    } catch (error) {
      // A network file system whose answer was lost says so, or that it is there, of a link that it made.
      if (fs.statSync(from).nlink > 1) return 'linked';
      if (codeOf(error) === 'EEXIST') return undefined;
    }
    // A file system without links.
    try {
      fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
      return 'copied';
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return undefined;
      throw error;
    }
  }

  return {
    at,
    read(name) {
      try {
        return fs.readFileSync(at(name), 'utf8');
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    create(name, text) {
      const place = at(name);
      const made = draft(place, text);
      let placed: ReturnType<typeof link>;
      try {
        placed = link(made, place);
      } finally {
        drop(made);
      }
      if (placed === undefined) return false;
      try {
        if (placed === 'copied') sync(place);
        sync(dirname(place));
      } catch (error) {
        // Who is told that it failed must not find it done later.
        drop(place);
        throw error;
      }
      return true;
    },
    write(name, text) {
      const place = at(name);
      try {
        const file = openNew(place);
        if (file === undefined) return false;
        fill(file, text);
        sync(dirname(place));
      } catch (error) {
        drop(place);
        throw error;
      }
      return true;
    },
    replace(name, text, beside = name) {
      const place = at(name);
      const made = draft(at(beside), text);
      try {
        fs.renameSync(made, place);
      } catch (error) {
        drop(made);
        throw error;
      }
      sync(dirname(place));
    },
    move(from, to) {
      try {
        fs.renameSync(at(from), at(to));
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
        makeFolder(dirname(at(to)));
        fs.renameSync(at(from), at(to));
      }
    },
    drop: (name) => drop(at(name)),
    changedAt,
    isOld,
    isLeftDraft(name) {
      const [, pid, where] = draftName.exec(name) ?? [];
      if (pid === undefined) return false;
      const isDead = where === here() && isAlive({ ...thisProcess(), pid: Number(pid), start: '' }) === false;
      return isDead || isOld(name);
    },
  };
}

/** What the file system throws has a code. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
