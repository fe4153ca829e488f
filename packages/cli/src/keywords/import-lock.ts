import { holdGraceMs } from '@orgchat/sdk';
import { bulkTimeoutMs } from '../connection/timeouts.ts';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { type Holder, isHeldLock } from '../settings/process-lock.ts';
import type { Destination, ImportRecord } from './import-record.ts';
import type { ImportStore } from './import-store.ts';

type ImportTarget = Pick<Destination, 'site' | 'group'>;

interface ImportLockOptions {
  readonly store: ImportStore;
  readonly destination: ImportTarget;
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
  { store, destination, timeoutMs = bulkTimeoutMs, afterwards }: ImportLockOptions,
  work: (write: (record: ImportRecord) => Promise<void>) => Promise<T>,
): Promise<T> {
  // No request takes longer.
  const ms = timeoutMs + holdGraceMs;
  const lock = await store.takeLock(ms);
  if (!isHeldLock(lock)) throw importInProgressError(destination, lock, store.lockPath, afterwards);
  try {
    return await work(async (record) => {
      if (!(await lock.renew(ms))) throw importTakenOverError(destination);
      await store.write(record);
    });
  } finally {
    await lock.release();
  }
}

const formatTarget = ({ site, group }: ImportTarget): string =>
  group === undefined ? site : `${site} (group ${group})`;

function importInProgressError(
  destination: ImportTarget,
  holder: Holder,
  lockPath: string | undefined,
  afterwards: string,
): CliError {
  const { host, pid, until } = holder;
  const who = host === '' ? 'another process' : `process ${pid} on ${host}`;
  const patience =
    until === undefined
      ? ''
      : ` Whether that process is alive cannot be checked from here. Its lock expires at ${until}, or when you remove ${lockPath}.`;
  return new CliError(
    `Another keyword import to ${formatTarget(destination)} is already running: ${who}. Nothing was sent.`,
    {
      code: 'IMPORT_UNDER_WAY',
      exit: exitCodes.conflict,
      hint: `Wait for it, then ${afterwards}.${patience}`,
      extra: { holder },
    },
  );
}

/** The lock expired because this process did not renew it in time. */
function importTakenOverError(destination: ImportTarget): CliError {
  return new CliError(
    `Another process took over the keyword import to ${formatTarget(destination)} because the lock of this process expired. This process has stopped.`,
    {
      code: 'IMPORT_TAKEN_OVER',
      exit: exitCodes.unknown,
      hint: 'Wait for the other process; it reports on every keyword.',
    },
  );
}
