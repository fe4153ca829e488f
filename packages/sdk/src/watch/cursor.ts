import { OrgChatError } from '../errors/base.ts';
import { ConflictError } from '../errors/refused.ts';
import type { MaybePromise } from '../journal/journal.ts';

/**
 * Where `watch()` keeps how far it got: `fileCursor(name)` of `@orgchat/sdk/node`, `memoryCursor()`, or a store of your own.
 * What it stores is a text of at most 1 MB (1,000,000 bytes in UTF-8), without texts of messages and without the key.
 */
export interface WatchCursor {
  /**
   * Takes the cursor for one watcher. Rejects with the error of `cursorInUseError()` if another one has it.
   *
   * @example
   * const { stored } = await memoryCursor().open();
   * console.log(stored); // undefined: nothing was watched with it
   */
  open(): MaybePromise<OpenCursor>;
}

/** A cursor that a watcher has taken. */
export interface OpenCursor {
  /** The text that was saved last; undefined if there is none. */
  readonly stored: string | undefined;
  /**
   * Replaces the text, completely or not at all. It is called before each event, after each round, also after one that failed,
   * each hour of a longer wait, and while a round is read, if `nextMs` of the last call has passed. The text may be the one
   * that is stored. Rejects with
   * the error of `cursorInUseError()` if another watcher took the cursor in the meantime.
   * `nextMs` is how long the watcher may wait before it saves again, in milliseconds, not counting one request and the work on
   * an event: a store that cannot tell whether a watcher is alive must not give its cursor to another one earlier.
   *
   * @example
   * const open = await memoryCursor().open();
   * await open.save('{}', 60_000);
   */
  save(text: string, nextMs: number): MaybePromise<void>;
  /**
   * Gives the cursor back. Its text stays.
   *
   * @example
   * const open = await memoryCursor().open();
   * await open.close();
   */
  close(): MaybePromise<void>;
}

/**
 * Creates the error of a cursor that another watcher has: a `ConflictError` with the code `CURSOR_IN_USE`. `cursor` names the
 * cursor, and `holder` the other watcher.
 *
 * @example
 * const cursor: WatchCursor = {
 *   open() {
 *     throw cursorInUseError('The row "inbox"', 'worker 2');
 *   },
 * };
 */
export function cursorInUseError(cursor: string, holder: string): ConflictError {
  const message = `${cursor} is in use by ${holder}. Only one watcher can use a cursor. Stop the other one, or use another cursor.`;
  return new ConflictError(message, { code: 'CURSOR_IN_USE' });
}

/** Creates the error of a cursor that cannot be read or written. */
export function createCursorError(message: string, cause?: unknown): OrgChatError {
  return new OrgChatError(message, { code: 'CURSOR_FAILED', cause });
}

/** Runs a method of a cursor. What a store throws itself becomes an error of this package. */
export async function useCursor<T>(work: () => MaybePromise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof OrgChatError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw createCursorError(`The cursor could not be read or written: ${why}`, cause);
  }
}

/**
 * Creates a cursor that is lost with the process. One object keeps how far a watch got, so a later watch of this process
 * continues there.
 *
 * @example
 * const cursor = memoryCursor();
 * for await (const event of client.watch({ messages: true }, { cursor, since: 'all' })) {
 *   console.log(event.type);
 *   break; // this event comes again
 * }
 */
export function memoryCursor(): WatchCursor {
  let stored: string | undefined;
  let isOpen = false;
  return {
    open() {
      if (isOpen) throw cursorInUseError('The cursor', 'another watch of this process');
      isOpen = true;
      return {
        stored,
        save(text) {
          stored = text;
        },
        close() {
          isOpen = false;
        },
      };
    },
  };
}
