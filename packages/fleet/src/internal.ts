import type { Journal } from '@orgchat/sdk';
import type { Cleanup } from './cleanup.ts';

/* What the command `orgchat` uses of a journal besides its public methods. No public type shows it, so it may change. */

/** By this name, `Symbol.for()` returns the key of the internal methods. */
export const internalName = '@orgchat/fleet/internal';

/** The internal methods of a journal. */
export interface StoreInternals {
  /** Undoes what is left of calls that failed. Every later call does so first, but there may be none. */
  flush(): Promise<void>;
  /**
   * Takes the lock of this name. It ends after `ms` milliseconds, or with this process. If a living process has it,
   * returns the `owner` that this process gave.
   */
  lock(name: string, owner: string, ms: number): Promise<StoreLock | string>;
  /** The text beside a lock, which only its holder may write. It stays when the lock ends. */
  readonly text: {
    read(name: string): Promise<string | undefined>;
    write(name: string, text: string): Promise<void>;
  };
}

export interface StoreLock {
  /** Renews the lock for another `ms` milliseconds. False if another process took it in the meantime. */
  renew(ms: number): Promise<boolean>;
  release(): Promise<void>;
}

/** Gives a lock to a token; with `isRenewal` only if that is the last one that had it. Returns whether it has it now. */
type Give = (token: string, ms: number, isRenewal: boolean, onDoubt?: () => void) => Promise<boolean>;

/** Takes a lock. Undefined if a living process has it. */
export async function takeLock(give: Give, ms: number, cleanup: Cleanup): Promise<StoreLock | undefined> {
  const token = crypto.randomUUID();
  const release = async (): Promise<void> => void (await give(token, 0, true));
  await cleanup.flush();
  if (!(await give(token, ms, false, () => cleanup.add(release)))) return undefined;
  return { renew: (more) => give(token, more, true), release };
}

/** Adds the internal methods to a journal. A copy of the journal does not have them. */
export const withInternals = (journal: Journal, internals: StoreInternals): Journal =>
  Object.defineProperty(journal, Symbol.for(internalName), { value: internals });
