import { randomUUID } from 'node:crypto';
import { basename, dirname } from 'node:path';
import {
  type AtomicDirectory,
  getThisProcess,
  isAlive,
  makeFolder,
  openAtomicDirectory,
  withFileLock,
} from '@orgchat/atomic-files';
import * as z from 'zod';
import { unreadableFileError, unwritableFileError } from '../settings/private-files.ts';
import type { HeldLock, Holder } from './holder.ts';

const shape = z.object({
  host: z.string(),
  boot: z.string(),
  pid: z.number(),
  start: z.string(),
  /** ISO 8601. When the lock expires if the process cannot be checked: on another machine or in another container. */
  until: z.string(),
  /** ISO 8601. When the process took the lock. */
  since: z.string().optional(),
});
type Owner = z.output<typeof shape>;

/** The living process that holds the lock, as far as known. */
function findLivingHolder(owner: Owner): Holder | undefined {
  const { host, pid, until, since } = owner;
  const holder = { host, pid, ...(since !== undefined && { since }) };
  const alive = isAlive(owner);
  if (alive === undefined) return Date.now() <= Date.parse(until) ? { ...holder, until } : undefined;
  return alive ? holder : undefined;
}

const getIsoTimeAfter = (ms: number): string => new Date(Date.now() + ms).toISOString();
const textFor = (ms: number, since: string): string =>
  JSON.stringify({ ...getThisProcess(), until: getIsoTimeAfter(ms), since, id: randomUUID() });

/** A lock file that names the process that holds it. */
export class Lock implements HeldLock {
  private constructor(
    private readonly files: AtomicDirectory,
    private readonly name: string,
    private text: string,
    private readonly since: string,
  ) {
    // Also if the second Ctrl-C ends the process.
    process.once('exit', this.release);
  }

  /**
   * Takes the lock for `ms` milliseconds. If a living process holds it, returns that process. Throws if the file
   * cannot be read or written.
   */
  static take(path: string, ms: number): Lock | Holder {
    const name = basename(path);
    const files = openAtomicDirectory(dirname(path), false);
    const since = getIsoTimeAfter(0);
    const text = textFor(ms, since);
    for (let tries = 0; tries < 10; tries++) {
      if (attempt(path, () => files.create(name, text))) return new Lock(files, name, text, since);
      const current = read(files, name);
      // It was released in the meantime.
      if (current === undefined) continue;
      const holder = findLivingHolder(parseOwner(current) ?? unknownOwner(files.changedAt(name), ms));
      if (holder !== undefined) return holder;
      if (attempt(path, () => replaceIfUnchanged(files, name, current, text)))
        return new Lock(files, name, text, since);
      // Another process is at it, and may not have written its name yet.
      const faster = parseOwner(read(files, name) ?? '');
      return (faster && findLivingHolder(faster)) ?? { host: '', pid: 0 };
    }
    // Such as a link that leads nowhere.
    throw unreadableFileError(path, new Error('it exists but cannot be opened'));
  }

  /** Renews the lock for another `ms` milliseconds. False if another process took it in the meantime. */
  renew(ms: number): boolean {
    const text = textFor(ms, this.since);
    const { files, name } = this;
    const isKept = attempt(files.at(name), () => replaceIfUnchanged(files, name, this.text, text));
    if (isKept) this.text = text;
    return isKept;
  }

  readonly release = (): void => {
    process.off('exit', this.release);
    try {
      withFileLock(this.files, this.name, () => {
        if (this.files.read(this.name) !== this.text) return undefined;
        this.files.remove(this.name);
        return true;
      });
    } catch {
      // The folder cannot be written any more; the lock is taken from this process when that has ended.
    }
  };
}

/** Replaces `before` by `text`, if the file still contains it. */
function replaceIfUnchanged(files: AtomicDirectory, name: string, before: string, text: string): boolean {
  const done = withFileLock(files, name, () => {
    if (files.read(name) !== before) return undefined;
    files.replace(name, text);
    return true;
  });
  return done === true;
}

function parseOwner(text: string): Owner | undefined {
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    // Truncated by a process that died while it copied the file.
    return undefined;
  }
}

/** The owner of an unreadable lock file gets the time that a new owner would get. */
const unknownOwner = (since: number, ms: number): Owner => ({
  ...{ host: '', boot: '', pid: 0, start: '' },
  // No time, if the file was removed in the meantime.
  until: Number.isNaN(since) ? '' : new Date(since + ms).toISOString(),
});

function read(files: AtomicDirectory, name: string): string | undefined {
  try {
    return files.read(name);
  } catch (error) {
    throw unreadableFileError(files.at(name), error);
  }
}

/** Writes to the directory of a lock and creates it if needed. */
function attempt<T>(path: string, work: () => T): T {
  try {
    makeFolder(dirname(path));
    return work();
  } catch (error) {
    throw unwritableFileError(path, error);
  }
}
