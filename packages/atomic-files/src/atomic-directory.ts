import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { getThisProcess, isAlive } from './process-identity.ts';

/** The files of a folder, each complete or not there at all. Names are relative to the folder. */
export interface AtomicDirectory {
  /** Returns the path of a file. */
  at(name: string): string;
  /** Reads a file; undefined if it does not exist. Throws if it cannot be read. */
  read(name: string): string | undefined;
  /** Creates a file; false if it exists: of several processes one succeeds. If this throws, there is no file. */
  create(name: string, text: string): boolean;
  /**
   * Writes a new file under its final name, and creates its folder if necessary; false if the file exists. A crash may
   * leave a part of it, so something else must show that it is complete.
   */
  write(name: string, text: string): boolean;
  /** Replaces a file. The temporary file is written beside `beside`. */
  replace(name: string, text: string, beside?: string): void;
  /** Moves a file, and creates the folder it is moved to if necessary. Throws if that is not possible. */
  move(from: string, to: string): void;
  /** Removes a file if that is possible. Returns whether it is gone. */
  remove(name: string): boolean;
  /** Returns when a file was last written, in milliseconds since the epoch; NaN if it does not exist. */
  changedAt(name: string): number;
  /** Returns whether a file is so old that no process is writing it, even if the clocks of two machines differ. */
  isOld(name: string): boolean;
  /** Returns whether a file is a temporary one that a dead process left. */
  isAbandonedTemporary(name: string): boolean;
}

/** The process number, and a digest of the machine it belongs to; files of earlier versions have no digest. */
const temporaryName = /\.(\d+)\.(?:([0-9a-f]{8})-)?[\w-]+\.tmp$/;
/** Writing a file takes milliseconds. */
const oldMs = 60 * 60 * 1000;

/** Returns a short digest of a text, to be used in names. */
export function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/**
 * Reads at once what is there: a pipe of another program that nobody writes to must not block this one. Node accepts a
 * number here; its types say a string.
 */
const readOnly = (fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0)) as unknown as string;

/** Opens a folder for atomic writes. With `durable`, everything is flushed to the disk when a call returns. */
export function openAtomicDirectory(dir: string, durable: boolean): AtomicDirectory {
  let temporaries = 0;
  let ownSuffix: string | undefined;
  /** Process numbers are only unique on one machine and in one container. */
  const here = (): string => shortDigest(`${getThisProcess().host} ${getThisProcess().boot}`).slice(0, 8);

  /** Joined once, because each change needs several paths and the names need no normalization. */
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

  function unlinkIfPossible(path: string): boolean {
    try {
      fs.unlinkSync(path);
      return true;
    } catch (error) {
      // Otherwise the file belongs to another user, or the folder cannot be written.
      return getErrorCode(error) === 'ENOENT';
    }
  }

  /** Writes a text to an open file, and closes it. */
  function fill(file: number, text: string): void {
    try {
      // Not writeSync: on a full disk it writes a part and reports no error.
      fs.writeFileSync(file, text);
      if (durable) fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
  }

  /** Opens a new file for writing, and creates its folder if necessary; undefined if the file exists. */
  function openNew(path: string, isAgain = false): number | undefined {
    try {
      return fs.openSync(path, 'wx', 0o600);
    } catch (error) {
      if (getErrorCode(error) === 'EEXIST') return undefined;
      if (getErrorCode(error) !== 'ENOENT' || isAgain) throw error;
    }
    makeFolder(dirname(path));
    sync(dirname(dirname(path)));
    return openNew(path, true);
  }

  /**
   * Writes a temporary file beside a path. Its name has the process number, so that others know if it was abandoned.
   */
  function writeTemporary(path: string, text: string): string {
    ownSuffix ??= `.${process.pid}.${here()}-${randomUUID().slice(0, 8)}-`;
    const temporary = `${path}${ownSuffix}${(temporaries++).toString(36)}.tmp`;
    const file = fs.openSync(temporary, 'wx', 0o600);
    // From here on this call has to remove the temporary file.
    try {
      fill(file, text);
    } catch (error) {
      unlinkIfPossible(temporary);
      throw error;
    }
    return temporary;
  }

  /** Links a temporary file to its final name; undefined if that exists. */
  function link(from: string, to: string): 'linked' | 'copied' | undefined {
    try {
      fs.linkSync(from, to);
      return 'linked';
    } catch (error) {
      // A network file system may report an error although it made the link, if its reply was lost.
      if (fs.statSync(from).nlink > 1) return 'linked';
      if (getErrorCode(error) === 'EEXIST') return undefined;
    }
    // A file system without links.
    try {
      fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
      return 'copied';
    } catch (error) {
      if (getErrorCode(error) === 'EEXIST') return undefined;
      throw error;
    }
  }

  return {
    at,
    read(name) {
      try {
        return fs.readFileSync(at(name), { encoding: 'utf8', flag: readOnly });
      } catch (error) {
        if (getErrorCode(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    create(name, text) {
      const path = at(name);
      const temporary = writeTemporary(path, text);
      let linked: ReturnType<typeof link>;
      try {
        linked = link(temporary, path);
      } finally {
        unlinkIfPossible(temporary);
      }
      if (linked === undefined) return false;
      try {
        if (linked === 'copied') sync(path);
        sync(dirname(path));
      } catch (error) {
        // A call that fails must not leave a file.
        unlinkIfPossible(path);
        throw error;
      }
      return true;
    },
    write(name, text) {
      const path = at(name);
      try {
        const file = openNew(path);
        if (file === undefined) return false;
        fill(file, text);
        sync(dirname(path));
      } catch (error) {
        unlinkIfPossible(path);
        throw error;
      }
      return true;
    },
    replace(name, text, beside = name) {
      const path = at(name);
      const temporary = writeTemporary(at(beside), text);
      try {
        fs.renameSync(temporary, path);
      } catch (error) {
        unlinkIfPossible(temporary);
        throw error;
      }
      sync(dirname(path));
    },
    move(from, to) {
      try {
        fs.renameSync(at(from), at(to));
      } catch (error) {
        if (getErrorCode(error) !== 'ENOENT') throw error;
        makeFolder(dirname(at(to)));
        fs.renameSync(at(from), at(to));
      }
    },
    remove: (name) => unlinkIfPossible(at(name)),
    changedAt,
    isOld,
    isAbandonedTemporary(name) {
      const [, pid, where] = temporaryName.exec(name) ?? [];
      if (pid === undefined) return false;
      const isDead =
        where === here() && isAlive({ ...getThisProcess(), pid: Number(pid), start: '' }) === false;
      return isDead || isOld(name);
    },
  };
}

/** Returns the code of an error of the file system, such as ENOENT. */
export function getErrorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
