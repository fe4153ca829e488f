import { randomUUID } from 'node:crypto';
import { basename, dirname } from 'node:path';
import * as z from 'zod';
import { unreadable, unwritable } from './files.ts';
import { makeFolder } from './folders.ts';
import { alone, isAlive, thisProcess, type WholeFiles, wholeFiles } from './sharing.ts';

const shape = z.object({
  host: z.string(),
  boot: z.string(),
  pid: z.number(),
  start: z.string(),
  /** ISO 8601. When it counts as dead where that cannot be known: on another machine, or in another container. */
  until: z.string(),
  /** ISO 8601. When the process took the lock. */
  since: z.string().optional(),
});
type Owner = z.output<typeof shape>;

/** The living process that has a lock. */
export interface Holder {
  /** '' where that is not known. */
  readonly host: string;
  readonly pid: number;
  /** ISO 8601: when it took the lock, if that is known. */
  readonly since?: string;
  /** ISO 8601, where only time can tell whether it is alive: when it is taken for dead unless it renews the lock. */
  readonly until?: string;
}

/** Who is at work, as far as is known: a dead process holds nothing. */
function livingHolder(owner: Owner): Holder | undefined {
  const { host, pid, until, since } = owner;
  const holder = { host, pid, ...(since !== undefined && { since }) };
  const alive = isAlive(owner);
  if (alive === undefined) return Date.now() <= Date.parse(until) ? { ...holder, until } : undefined;
  return alive ? holder : undefined;
}

const untilIn = (ms: number): string => new Date(Date.now() + ms).toISOString();
const textFor = (ms: number, since: string): string =>
  JSON.stringify({ ...thisProcess(), until: untilIn(ms), since, id: randomUUID() });

/** A file that stands while one process at a time does something, and says which one that is. */
export class Lock {
  private constructor(
    private readonly files: WholeFiles,
    private readonly name: string,
    private text: string,
    private readonly since: string,
  ) {
    // Also where the second Ctrl-C ends it in the midst of its work.
    process.once('exit', this.release);
  }

  /**
   * Takes the lock for `ms` milliseconds, unless a living process has it: then returns that one. Throws where the
   * file cannot be read or written.
   */
  static take(path: string, ms: number): Lock | Holder {
    const name = basename(path);
    const files = wholeFiles(dirname(path), false);
    const since = untilIn(0);
    const text = textFor(ms, since);
    for (let tries = 0; tries < 10; tries++) {
      if (attempt(path, () => files.create(name, text))) return new Lock(files, name, text, since);
      const there = read(files, name);
      // It was released meanwhile.
      if (there === undefined) continue;
      const holder = livingHolder(ownerIn(there) ?? unknownOwner(files.changedAt(name), ms));
      if (holder !== undefined) return holder;
      if (attempt(path, () => exchange(files, name, there, text))) return new Lock(files, name, text, since);
      // Another process is at it, and may not have written its name yet.
      const faster = ownerIn(read(files, name) ?? '');
      return (faster && livingHolder(faster)) ?? { host: '', pid: 0 };
    }
    // Such as a link that leads nowhere.
    throw unreadable(path, new Error('it is there and is not found'));
  }

  /** Keeps the lock for another `ms` milliseconds. False where it was given to another process meanwhile. */
  renew(ms: number): boolean {
    const text = textFor(ms, this.since);
    const { files, name } = this;
    const isKept = attempt(files.at(name), () => exchange(files, name, this.text, text));
    if (isKept) this.text = text;
    return isKept;
  }

  readonly release = (): void => {
    process.off('exit', this.release);
    try {
      alone(this.files, this.name, () => {
        if (this.files.read(this.name) !== this.text) return undefined;
        this.files.drop(this.name);
        return true;
      });
    } catch {
      // The folder cannot be written any more; the lock is taken from this process when that has ended.
    }
  };
}

/** Puts `text` in the place of `before`, where that still stands there. */
function exchange(files: WholeFiles, name: string, before: string, text: string): boolean {
  const done = alone(files, name, () => {
    if (files.read(name) !== before) return undefined;
    files.replace(name, text);
    return true;
  });
  return done === true;
}

function ownerIn(text: string): Owner | undefined {
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    // Cut off by a process that died where files are copied into their place.
    return undefined;
  }
}

/** Whoever wrote what is no lock is given the time that one who asks now would have. */
const unknownOwner = (since: number, ms: number): Owner => ({
  ...{ host: '', boot: '', pid: 0, start: '' },
  // No time, where the file went meanwhile.
  until: Number.isNaN(since) ? '' : new Date(since + ms).toISOString(),
});

function read(files: WholeFiles, name: string): string | undefined {
  try {
    return files.read(name);
  } catch (error) {
    throw unreadable(files.at(name), error);
  }
}

/** Writes to the folder of a lock, which is made where it is not there yet. */
function attempt<T>(path: string, work: () => T): T {
  try {
    makeFolder(dirname(path));
    return work();
  } catch (error) {
    throw unwritable(path, error);
  }
}
