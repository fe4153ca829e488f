import { holdGraceMs } from '@orgchat/sdk';
import { bulkTimeoutMs } from '../connection/timeouts.ts';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { type LockedBy, withLock } from '../locks/with-lock.ts';
import type { Destination, ImportRecord } from './import-record.ts';
import type { ImportStore } from './import-store.ts';

interface ImportLockOptions {
  readonly store: ImportStore;
  readonly destination: Pick<Destination, 'site' | 'group'>;
  /** Deadline of a request. The default leaves time to wait for the rate limit. */
  readonly timeoutMs?: number | undefined;
  /** What to do once another process that uses the record has ended. */
  readonly afterwards: string;
}

/**
 * Runs `work` while no other process uses the import record, which must be read inside `work`. Throws if another
 * process uses it. `write` saves the record and must be called before each request: it also renews the lock, for
 * processes that cannot check this one.
 */
export async function withImportLock<T>(
  { store, destination: { site, group }, timeoutMs = bulkTimeoutMs, afterwards }: ImportLockOptions,
  work: (write: (record: ImportRecord) => Promise<void>) => Promise<T>,
): Promise<T> {
  // No request takes longer.
  const validMs = timeoutMs + holdGraceMs;
  const target = group === undefined ? site : `${site} (group ${group})`;
  const options = {
    store: store.lock,
    validMs,
    inProgressError: (by: LockedBy) => importInProgressError(target, by, afterwards),
  };
  return withLock(options, (lock) =>
    work(async (record) => {
      if (!(await lock.renew(validMs))) throw importTakenOverError(target);
      await store.write(record);
    }),
  );
}

function importInProgressError(
  target: string,
  { holder, who, expiry }: LockedBy,
  afterwards: string,
): CliError {
  return new CliError(`Another keyword import to ${target} is already running: ${who}. Nothing was sent.`, {
    code: 'IMPORT_UNDER_WAY',
    exit: exitCodes.conflict,
    hint: `Wait for it, then ${afterwards}.${expiry}`,
    extra: { holder },
  });
}

/** The lock expired because this process did not renew it in time. */
function importTakenOverError(target: string): CliError {
  return new CliError(
    `Another process took over the keyword import to ${target} because the lock of this process expired. This process has stopped.`,
    {
      code: 'IMPORT_TAKEN_OVER',
      exit: exitCodes.unknown,
      hint: 'Wait for the other process; it reports on every keyword.',
    },
  );
}
