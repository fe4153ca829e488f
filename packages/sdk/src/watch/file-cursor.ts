import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  getThisProcess,
  isAlive,
  isThisProcess,
  makeFolder,
  openAtomicDirectory,
  type ProcessIdentity,
  withFileLock,
} from '@orgchat/atomic-files';
import { createInvalidOptionsError, requireKnown } from '../errors/refused.ts';
import { defaultJournalDir } from '../journal/file/file-journal.ts';
import { listOptions } from '../options/resolve-options.ts';
import { describeId, describeType, isObject } from '../values.ts';
import { createCursorError, cursorInUseError, type WatchCursor } from './cursor.ts';

/**
 * Options of `fileCursor`.
 *
 * @example
 * const options: FileCursorOptions = { directory: './state' };
 * const cursor = fileCursor('inbox', options);
 */
export interface FileCursorOptions {
  /** The directory of the file. Default: `cursors` beside the directory of `defaultJournalDir()`. */
  readonly directory?: string | undefined;
  /** Flushes every save to the disk, so that it survives a power cut. Default false: it survives a crash. */
  readonly durable?: boolean | undefined;
}

/** Who has the cursor. */
interface Owner extends ProcessIdentity {
  readonly token: string;
  /** When the cursor was taken, in ISO 8601. */
  readonly since: string;
  /** When a watcher that cannot be looked for, on another machine or in another container, is taken for dead (ISO 8601). */
  readonly until: string;
}

interface Content {
  readonly owner?: Owner | undefined;
  readonly stored?: string | undefined;
}

/** How long a watcher may be late with a save, in milliseconds. */
const graceMs = 10 * 60_000;
/** How long to wait for another process that is writing the file, in milliseconds. */
const busyMs = 2_000;

const optionNames = listOptions<FileCursorOptions>({ directory: true, durable: true });

/**
 * Creates a cursor in a file, `NAME.json`, readable by its owner alone. One process at a time can use it, also of several
 * containers that share the directory. It survives `kill -9`; with `durable`, a power cut. `name` has 1 to 100 letters,
 * digits, dots, hyphens and underscores, and does not begin with a dot.
 *
 * @example
 * const cursor = fileCursor('inbox', { directory: './cursors' });
 * for await (const event of client.watch({ messages: true }, { cursor, since: 'all' })) {
 *   console.log(event.type);
 *   break; // this event comes again
 * }
 */
export function fileCursor(name: string, options: FileCursorOptions = {}): WatchCursor {
  if (typeof name !== 'string' || !/^[\w-][\w.-]{0,99}$/.test(name))
    throw createInvalidOptionsError(
      `The name of a cursor must have 1 to 100 letters, digits, dots, hyphens and underscores, and must not begin with a dot; got ${describeId(name)}.`,
    );
  requireKnown(options, optionNames, 'fileCursor()');
  const { directory = join(dirname(defaultJournalDir()), 'cursors'), durable = false } = options;
  if (typeof directory !== 'string' || directory === '')
    throw createInvalidOptionsError(`directory must be a path; got ${describeType(directory)}.`);
  // Fixed now: a program may change its working directory.
  const dir = resolve(directory);
  const files = openAtomicDirectory(dir, durable);
  const file = `${name}.json`;
  const title = `The cursor ${JSON.stringify(name)}`;

  function readContent(): Content {
    const text = files.read(file);
    if (text === undefined) return {};
    const advice = `Remove ${files.at(file)} to start again.`;
    let read: unknown;
    try {
      read = JSON.parse(text);
    } catch (cause) {
      throw createCursorError(`${title} cannot be read: its file is not JSON. ${advice}`, cause);
    }
    const { owner, stored }: { owner?: unknown; stored?: unknown } = Object(read);
    if (
      isObject(read) &&
      (owner === undefined || isOwner(owner)) &&
      (stored === undefined || typeof stored === 'string')
    )
      return { owner, stored };
    throw createCursorError(`${title} cannot be read: its file was not written by fileCursor(). ${advice}`);
  }

  /** Changes the file while no other process does. What `work` throws is thrown. */
  async function change<T>(work: () => T): Promise<T> {
    try {
      makeFolder(dir);
      for (const end = performance.now() + busyMs; ; await sleep(5)) {
        const done = withFileLock(files, file, () => ({ value: work() }));
        if (done !== undefined) return done.value;
        if (performance.now() > end)
          throw createCursorError(
            `${title} cannot be changed: another process is writing ${files.at(file)}.`,
          );
      }
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      throw createCursorError(
        `${title} cannot be read or written at ${files.at(file)}: ${error.message}. Check the directory, or pass another one.`,
        error,
      );
    }
  }

  return {
    async open() {
      const token = randomUUID();
      const since = new Date().toISOString();
      let written: string | undefined;
      const write = (stored: string | undefined, forMs: number): void => {
        const until = new Date(Math.min(Date.now() + forMs + graceMs, 8e15)).toISOString();
        const owner: Owner = { ...getThisProcess(), token, since, until };
        written = JSON.stringify({ owner, stored });
        files.replace(file, written);
      };
      const requireOwn = (): void => {
        // To read a large file is much faster than to parse it.
        if (files.read(file) === written) return;
        const { owner } = readContent();
        if (owner?.token === token) return;
        if (files.read(file) === undefined)
          throw createCursorError(`${title} was removed while it was in use.`);
        const holder = owner ? describeOwner(owner) : 'another watcher, which took it in the meantime';
        throw cursorInUseError(title, holder);
      };
      const first = await change(() => {
        for (const found of readdirSync(dir))
          if (found.startsWith(`${file}.`) && files.isAbandonedTemporary(found)) files.remove(found);
        const { owner, stored } = readContent();
        if (owner && isInUse(owner)) throw cursorInUseError(title, describeOwner(owner));
        write(stored, 0);
        return stored;
      });
      return {
        stored: first,
        save: (text, nextMs) =>
          change(() => {
            requireOwn();
            write(text, nextMs);
          }),
        close: () =>
          change(() => {
            const { owner, stored } = readContent();
            if (owner?.token === token) files.replace(file, JSON.stringify({ stored }));
          }),
      };
    },
  };
}

function isOwner(value: unknown): value is Owner {
  const names = ['host', 'boot', 'start', 'token', 'since', 'until'];
  return (
    isObject(value) && typeof value.pid === 'number' && names.every((name) => typeof value[name] === 'string')
  );
}

const isInUse = (owner: Owner): boolean =>
  // Another watch of this process, perhaps in another thread.
  isThisProcess(owner) || (isAlive(owner) ?? Date.now() <= Date.parse(owner.until));

const describeOwner = ({ pid, host, since }: Owner): string => `process ${pid} on ${host}, since ${since}`;
