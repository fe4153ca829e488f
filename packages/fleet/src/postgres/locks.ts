/** The first number of our advisory locks, "orgc": the second names a process or a piece of work. */
export const lockClass = 0x6f726763;

/** The lock under which tables are made. */
export const migrationLock = 1;
