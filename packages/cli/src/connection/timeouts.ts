/** Deadline of each call of a command that makes many, if `--timeout` is not set: it leaves time for the rate limit. */
export const bulkTimeoutMs = 300_000;
