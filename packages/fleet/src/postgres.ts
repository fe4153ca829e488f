export { FleetError, type FleetErrorCode } from './fleet-error.ts';
export type { PacingStats, PacingStatsOptions, StoredPacing } from './pacing-rules.ts';
export { type PostgresJournalOptions, postgresJournal } from './postgres/journal.ts';
export { migrate, type SchemaOptions } from './postgres/migrate.ts';
export type {
  Outbox,
  OutboxEntry,
  OutboxListOptions,
  OutboxOptions,
  OutboxResult,
  OutboxRunOptions,
  OutboxStats,
} from './postgres/outbox/interface.ts';
export { outbox } from './postgres/outbox.ts';
export { type PostgresPacingOptions, postgresPacing } from './postgres/pacing.ts';
export type { Queryable } from './postgres/pool.ts';
export type { StoreWarning } from './store-warning.ts';
