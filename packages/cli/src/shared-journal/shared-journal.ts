import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { StoreDiagnosis } from '@orgchat/fleet/internal';
import type { Outbox } from '@orgchat/fleet/postgres';
import type { EntryKey, Journal } from '@orgchat/sdk';
import { countEntries } from '@orgchat/sdk/internal';
import { usageError } from '../errors/cli-error.ts';
import type { HeldLock, Holder } from '../locks/holder.ts';
import type { JournalSetting } from '../settings/journal-setting.ts';
import { fromStoreError, type JournalCall } from './from-store-error.ts';
import { openPostgresStore } from './postgres-store.ts';
import { openRedisStore } from './redis-store.ts';
import type { OpenStore, OutboxName, Store } from './store.ts';

/** How long the end of a command waits for the engine, in milliseconds. */
const closeWithinMs = 2_000;

const stores: Readonly<Record<JournalSetting['engine'], OpenStore>> = {
  postgres: openPostgresStore,
  redis: openRedisStore,
};

/** Returns the name of a lock or text from what it is about. */
const toName = (about: readonly (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 32);

/** A journal in an engine that several machines use. It loads its packages and connects when it is first used. */
export class SharedJournal {
  private opened: Promise<Store> | undefined;
  readonly journal: Journal;

  constructor(
    readonly setting: JournalSetting,
    private readonly warn: (message: string) => void,
    private readonly openStore: OpenStore = stores[setting.engine],
  ) {
    this.journal = this.createJournal();
  }

  /** The URL for people: without password and parameters. */
  get name(): string {
    return this.setting.name;
  }

  /** Creates the tables. Several machines may do so at once. */
  async migrate(): Promise<void> {
    await this.run('migrate', ({ migrate }) => migrate());
  }

  /**
   * Takes a lock between machines for `ms` milliseconds. If a living process holds it, returns that process. `about` names
   * what is locked.
   */
  async takeLock(about: readonly (string | null)[], ms: number): Promise<HeldLock | Holder> {
    const owner = { host: hostname(), pid: process.pid, since: new Date().toISOString() } satisfies Holder;
    const lock = await this.run('write', ({ internals }) =>
      internals.lock(toName(about), JSON.stringify(owner), ms),
    );
    if (typeof lock === 'string') return JSON.parse(lock) as Holder;
    return {
      renew: (more) => this.run('write', () => lock.renew(more)),
      // What stays is free as soon as this process has ended.
      release: () => lock.release().catch(() => undefined),
    };
  }

  /** Reads a text that `writeText` wrote; undefined if there is none. */
  async readText(about: readonly (string | null)[]): Promise<string | undefined> {
    return this.run('read', ({ internals }) => internals.text.read(toName(about)));
  }

  /** Writes a text that all machines can read. Only the holder of a lock may do so. */
  async writeText(about: readonly (string | null)[], text: string): Promise<void> {
    await this.run('write', ({ internals }) => internals.text.write(toName(about), text));
  }

  /** Checks the engine. Finds nothing if the installed package is older than this command. */
  async diagnose(): Promise<readonly StoreDiagnosis[]> {
    return this.run('read', async ({ internals }) => (await internals.diagnose?.()) ?? []);
  }

  /** Names the outboxes of an organization that have changes. The installed package may be older, and knows none. */
  async outboxNames(organization: string): Promise<readonly string[]> {
    return this.run('read', async ({ internals }) => (await internals.outboxNames?.(organization)) ?? []);
  }

  /** Runs work with an outbox in the same database. */
  async useOutbox<T>(name: OutboxName, call: JournalCall, work: (box: Outbox) => Promise<T>): Promise<T> {
    return this.run(call, ({ openOutbox }) => {
      const box = openOutbox?.(name);
      if (box === undefined)
        throw usageError(
          `An outbox is in Postgres, and the journal ${this.name} is not.`,
          'Set ORGCHAT_JOURNAL to the URL of the database that has the outbox: postgres://USER:PASSWORD@HOST/DATABASE',
        );
      if (box.stats === undefined)
        throw usageError(
          `The installed version of @orgchat/fleet has no stats() for the outbox of the journal ${this.name}.`,
          'Install a matching version of @orgchat/fleet.',
          'STORE_VERSION',
        );
      return work(box);
    });
  }

  /** Ends the connections. After this nothing keeps the process alive. */
  async close(): Promise<void> {
    const store = await this.opened?.catch(() => undefined);
    if (store === undefined) return;
    const end = async (): Promise<void> => {
      // A write that failed may have to be undone, which every later call does first.
      await store.internals.flush().catch(() => undefined);
      await store.close();
    };
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, closeWithinMs);
    });
    await Promise.race([end().catch(() => undefined), tooLate]);
    clearTimeout(timer);
  }

  private open(): Promise<Store> {
    this.opened ??= this.openStore(this.setting, this.warn);
    return this.opened;
  }

  /**
   * Runs a call of the store. Its error gets the code, the exit code and the hint of this command. `isNew` if the id was
   * made for this call.
   */
  private async run<T>(
    call: JournalCall,
    work: (store: Store) => T | Promise<T>,
    key?: EntryKey,
    isNew = false,
  ): Promise<T> {
    try {
      return await work(await this.open());
    } catch (error) {
      const mayBeSent = key !== undefined && !isNew;
      throw fromStoreError(error, this.setting, { call, operationId: key?.operationId, mayBeSent });
    }
  }

  private createJournal(): Journal {
    return {
      add: (entry, options) =>
        this.run('write', ({ journal }) => journal.add(entry, options), entry, options?.isNew),
      get: (key) => this.run('read', ({ journal }) => journal.get(key), key),
      claim: (key, hold) => this.run('write', ({ journal }) => journal.claim(key, hold), key),
      settle: (entry) => this.run('outcome', ({ journal }) => journal.settle(entry), entry),
      list: (target, options) => this.run('read', ({ journal }) => journal.list(target, options)),
      remove: (key, token) => this.run('outcome', ({ journal }) => journal.remove(key, token), key),
      stats: (target) => this.run('read', ({ journal }) => countEntries(journal, target)),
    };
  }
}
