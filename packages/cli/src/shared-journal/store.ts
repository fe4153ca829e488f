import type { internalName, StoreInternals } from '@orgchat/fleet/internal';
import type { Outbox } from '@orgchat/fleet/postgres';
import type { Journal } from '@orgchat/sdk';
import { usageError } from '../errors/cli-error.ts';
import type { JournalSetting } from '../settings/journal-setting.ts';

/** Names an outbox; by default, the only one of its organization. */
export interface OutboxName {
  readonly organization: string;
  readonly name: string | undefined;
}

/** An engine with a journal in it. */
export interface Store {
  readonly journal: Journal;
  readonly internals: StoreInternals;
  /** Opens an outbox in the same database. Undefined if the engine has none. */
  readonly openOutbox?: (options: OutboxName) => Outbox;
  /** Creates the tables of the journal, if the engine has tables, and checks the engine. */
  migrate(): Promise<void>;
  close(): Promise<void>;
}

export type OpenStore = (setting: JournalSetting, warn: (message: string) => void) => Promise<Store>;

/** The package is loaded at run time, so only its types are known here. */
const name: typeof internalName = '@orgchat/fleet/internal';

/** Returns the internal methods of a journal of `@orgchat/fleet`. Throws if the installed version has none. */
export function getInternals(journal: Journal): StoreInternals {
  const internals: StoreInternals | undefined = Reflect.get(journal, Symbol.for(name));
  if (internals !== undefined) return internals;
  throw usageError(
    '--journal needs locks, which the installed version of @orgchat/fleet does not have.',
    'Install a matching version of @orgchat/fleet.',
    'STORE_VERSION',
  );
}
