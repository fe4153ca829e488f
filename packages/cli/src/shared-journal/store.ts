import type { ClientOptions } from '@orgchat/sdk';
import type { JournalSetting } from '../settings/journal-setting.ts';

export type Journal = NonNullable<ClientOptions['journal']>;

/** A journal that answers with promises. */
export type AsyncJournal = {
  readonly [Name in keyof Journal]: (
    ...given: Parameters<Journal[Name]>
  ) => Promise<Awaited<ReturnType<Journal[Name]>>>;
};

/** An engine with a journal in it. */
export interface Store {
  readonly journal: Journal;
  /** Creates the tables of the journal, if the engine has tables, and checks the engine. */
  migrate(): Promise<void>;
  /** Whether the engine was ever reached, so that it may have executed a statement that failed. */
  wasReached(): boolean;
  close(): Promise<void>;
}

export type OpenStore = (setting: JournalSetting, warn: (message: string) => void) => Promise<Store>;
