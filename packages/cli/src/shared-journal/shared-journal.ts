import { fromStoreError, type JournalCall } from '../errors/from-store-error.ts';
import type { JournalSetting } from '../settings/journal-setting.ts';
import { openPostgresStore } from './postgres-store.ts';
import type { AsyncJournal, OpenStore, Store } from './store.ts';

/** How long the end of a command waits for the engine, in milliseconds. */
const closeWithinMs = 2_000;

/** The key of no entry. */
const nobody = { operationId: 'none', target: 'none' };

/** A journal in an engine that several machines use. It loads its packages and connects when it is first used. */
export class SharedJournal {
  private opened: Promise<Store> | undefined;
  private hasFailed = false;
  readonly journal: AsyncJournal;

  constructor(
    readonly setting: JournalSetting,
    private readonly warn: (message: string) => void,
    private readonly openStore: OpenStore = openPostgresStore,
  ) {
    this.journal = this.createJournal();
  }

  /** The URL for people: without password and parameters. */
  get name(): string {
    return this.setting.name;
  }

  /** Creates the tables. Several machines may do so at once. */
  async migrate(): Promise<void> {
    await this.run('migrate', undefined, ({ migrate }) => migrate());
  }

  /** Ends the connections. After this nothing keeps the process alive. */
  async close(): Promise<void> {
    const store = await this.opened?.catch(() => undefined);
    if (store === undefined) return;
    const end = async (): Promise<void> => {
      // A write that failed may have to be undone, which every later call does first.
      if (this.hasFailed && store.wasReached()) await this.journal.get(nobody).catch(() => undefined);
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

  /** Runs a call of the store. Its error gets the code, the exit code and the hint of this command. */
  private async run<T>(
    call: JournalCall,
    operationId: string | undefined,
    work: (store: Store) => T | Promise<T>,
  ): Promise<T> {
    try {
      return await work(await this.open());
    } catch (error) {
      if (call !== 'read') this.hasFailed = true;
      throw fromStoreError(error, this.setting, call, operationId);
    }
  }

  private createJournal(): AsyncJournal {
    return {
      add: (entry, options) =>
        this.run('write', entry.operationId, ({ journal }) => journal.add(entry, options)),
      get: (key) => this.run('read', key.operationId, ({ journal }) => journal.get(key)),
      claim: (key, hold) => this.run('write', key.operationId, ({ journal }) => journal.claim(key, hold)),
      settle: (entry) => this.run('outcome', entry.operationId, ({ journal }) => journal.settle(entry)),
      list: (target, options) => this.run('read', undefined, ({ journal }) => journal.list(target, options)),
      remove: (key, token) =>
        this.run('outcome', key.operationId, ({ journal }) => journal.remove(key, token)),
    };
  }
}
