export { FleetError, type FleetErrorCode } from './fleet-error.ts';
export type { PacingStats, PacingStatsOptions, StoredPacing } from './pacing-rules.ts';
export type { IoredisClient, NodeRedisClient, RedisClient } from './redis/driver.ts';
export { type PrefixOptions, type RedisJournalOptions, redisJournal } from './redis/journal.ts';
export { type RedisPacingOptions, redisPacing } from './redis/pacing.ts';
export type { StoreWarning } from './store-warning.ts';
