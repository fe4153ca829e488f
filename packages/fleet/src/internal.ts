import type { Journal } from '@orgchat/sdk';
import type { PendingUndos } from './pending-undos.ts';

/* What the command `orgchat` uses of a journal besides its public methods. No public type shows it, so it may change. */

/** By this name, `Symbol.for()` returns the key of the internal methods. */
export const internalName = '@orgchat/fleet/internal';

/** The internal methods of a journal. */
export interface StoreInternals {
  /** Undoes what is left of calls that failed. A later call about the same operation does so first, but there may be none. */
  flush(): Promise<void>;
  /**
   * Takes the lock of this name. It ends after `ms` milliseconds, or with this process. If a living process has it,
   * returns the `owner` that this process gave.
   */
  lock(name: string, owner: string, ms: number): Promise<StoreLock | string>;
  /** Checks what the calls of a worker do not show while all is well. Rejects if the engine cannot be reached. */
  diagnose(): Promise<readonly StoreDiagnosis[]>;
  /** Names the outboxes of an organization that have changes. Undefined if the engine has no outboxes. */
  readonly outboxNames?: ((organization: string) => Promise<readonly string[]>) | undefined;
  /** The text beside a lock, which only its holder may write. It stays when the lock ends. */
  readonly text: {
    read(name: string): Promise<string | undefined>;
    write(name: string, text: string): Promise<void>;
  };
}

/** What a check of an engine found. With an advice, it is a problem. */
export interface StoreDiagnosis {
  readonly topic: 'grants' | 'isolation' | 'writable' | 'eviction' | 'durability' | 'snapshots';
  readonly detail: string;
  readonly advice?: string;
}

export interface StoreLock {
  /** Renews the lock for another `ms` milliseconds. False if another process took it in the meantime. */
  renew(ms: number): Promise<boolean>;
  release(): Promise<void>;
}

/** How an engine stores locks, each with its text. Every call may be repeated. */
export interface LockRows {
  /**
   * Gives a lock to a token for some time, and returns whether it has it now. A renewal succeeds only if it was the last
   * one that had it. `onDoubt` is called if it may have it although this rejects.
   */
  give(name: string, to: LockHolder, onDoubt?: () => void): Promise<boolean>;
  find(name: string): Promise<{ readonly owner: string; readonly text: string | null } | undefined>;
  write(name: string, text: string): Promise<unknown>;
}

interface LockHolder {
  readonly token: string;
  readonly owner: string;
  readonly ms: number;
  readonly isRenewal: boolean;
}

/** Adds the internal methods to a journal. A copy of the journal does not have them. */
export function withInternals(
  journal: Journal,
  undos: PendingUndos,
  rows: LockRows,
  engine: Pick<StoreInternals, 'diagnose' | 'outboxNames'>,
): Journal {
  const internals: StoreInternals = {
    ...engine,
    flush: undos.flushAll,
    async lock(name, owner, ms) {
      const subject = `lock ${name}`;
      await undos.flush(subject);
      const to: LockHolder = { token: crypto.randomUUID(), owner, ms, isRenewal: false };
      const renew = (more: number): Promise<boolean> => rows.give(name, { ...to, ms: more, isRenewal: true });
      const release = async (): Promise<void> => void (await renew(0));
      if (await rows.give(name, to, () => undos.add(subject, release))) return { renew, release };
      const other = await rows.find(name);
      // Undefined if the engine has lost it.
      return other?.owner ?? internals.lock(name, owner, ms);
    },
    text: {
      read: async (name) => (await rows.find(name))?.text ?? undefined,
      write: async (name, text) => void (await rows.write(name, text)),
    },
  };
  return Object.defineProperty(journal, Symbol.for(internalName), { value: internals });
}
