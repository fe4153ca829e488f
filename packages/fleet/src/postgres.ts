export { FleetError, type FleetErrorCode } from './fleet-error.ts';
export type { StoreWarning } from './postgres/holder.ts';
export { type PostgresJournalOptions, postgresJournal } from './postgres/journal.ts';
export { migrate, type SchemaOptions } from './postgres/migrate.ts';
export type { Queryable } from './postgres/pool.ts';
