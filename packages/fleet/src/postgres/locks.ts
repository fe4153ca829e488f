/** The first number of our advisory locks, "orgc": the second names a process or a piece of work. */
export const lockClass = 0x6f726763;

/** The first number of the locks under which the pacing decides, "orgp": the second is a digest of the line. */
export const pacingLockClass = 0x6f726770;

/** The lock under which tables are made. */
export const migrationLock = 1;

/** When a lease ends that lasts so many milliseconds. `clock_timestamp()` and not `now()`: a statement may wait first. */
export const leaseEnd = (ms: string): string =>
  `clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;

/**
 * Whether the process that holds a row is dead: nobody but a living process has its lock. A shared one, so that several
 * processes may look at once. `own` is the number of this process.
 */
export const isHolderDead = (row: string, own: string, isEmbedded: boolean): string =>
  isEmbedded
    ? `${row}.holder IS DISTINCT FROM ${own}::integer`
    : `CASE WHEN ${row}.holder IS NULL THEN false ELSE pg_try_advisory_xact_lock_shared(${lockClass}, ${row}.holder) END`;

/**
 * A source of one row for a statement that may wait for locks, at most for the milliseconds of `limit`. It has to be among
 * the tables of the statement, with `isLimited` as a condition.
 */
export const lockLimit = (limit: string): string =>
  `(SELECT set_config('lock_timeout', ${limit}, true) AS lock_timeout) AS limited`;
export const isLimited = "lock_timeout <> ''";
