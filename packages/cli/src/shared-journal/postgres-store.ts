import type { migrate, outbox, postgresJournal } from '@orgchat/fleet/postgres';
import { loadInstalled } from '../settings/installed-packages.ts';
import type { JournalSetting } from '../settings/journal-setting.ts';
import { getInternals, type OpenStore } from './store.ts';

/** The part of `pg` that is used. */
interface Driver {
  readonly Pool: new (options: object) => Pool;
}
interface Pool {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): unknown;
}

/** The part of `@orgchat/fleet/postgres` that is used. */
interface Fleet {
  readonly postgresJournal: typeof postgresJournal;
  readonly migrate: typeof migrate;
  readonly outbox: typeof outbox;
}

const packages = ['@orgchat/fleet', '@orgchat/sdk', 'pg'];

/** Opens a journal in Postgres. Nothing connects before its first call. */
export const openPostgresStore: OpenStore = async ({ url, namespace: schema }: JournalSetting, warn) => {
  const { postgresJournal, migrate, outbox } = (await loadInstalled(
    '@orgchat/fleet/postgres',
    packages,
  )) as Fleet;
  const { Pool } = (await loadInstalled('pg', packages)) as Driver;
  const pool = new Pool({ connectionString: url, max: 4, application_name: 'orgchat' });
  // The next statement reports a connection that broke.
  pool.on('error', () => undefined);
  const journal = postgresJournal(pool, { schema, onWarning: ({ message }) => warn(message) });
  return {
    journal,
    internals: getInternals(journal),
    openOutbox: (options) => outbox(pool, { ...options, schema }),
    migrate: () => migrate(pool, { schema }),
    close: () => pool.end(),
  };
};
