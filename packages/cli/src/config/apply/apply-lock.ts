import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import type { HeldLock } from '../../locks/holder.ts';
import {
  type LockedBy,
  type LockStore,
  lockInBoth,
  lockInFile,
  lockInJournal,
  withLock,
} from '../../locks/with-lock.ts';
import { stateDirectory } from '../../settings/directories.ts';
import type { SharedJournal } from '../../shared-journal/shared-journal.ts';
import type { Plan } from '../plan/plan-schema.ts';

/*
 * One apply runs at a time per organization, from reading the organization to the last step. It locks out applies with the
 * same state directory, and with the same shared journal. Others are not locked out; see `createOnce` of the SDK.
 */

/** The organization and its server. */
type ApplyTarget = Pick<Plan, 'baseUrl' | 'organizationId'>;

const validMs = 90_000;
const renewMs = 20_000;

/** The lock of the apply that is running in this process. */
export interface ApplyLock {
  /** False after the lock expired and another process took it over. */
  isHeld(): Promise<boolean>;
}

/**
 * Runs `work` while no other process with this state directory or shared journal applies to the organization. Waits at
 * most `timeoutMs` for another apply, then ends the command with exit code 5.
 */
export async function withApplyLock<T>(
  context: Context,
  target: ApplyTarget,
  timeoutMs: number,
  work: (lock: ApplyLock) => Promise<T>,
): Promise<T> {
  const { output, interrupt } = context;
  const { sharedJournal } = await context.connect();
  const options = {
    store: openLockStore(target, sharedJournal),
    validMs,
    inProgressError: (by: LockedBy) => applyInProgressError(by, timeoutMs),
    waiting: {
      timeoutMs,
      signal: interrupt.signal,
      onStart: (holder: string) => output.note(`Waiting for another apply: ${holder}.`),
    },
  };
  return withLock(options, (lock) => runWhileRenewing(lock, work));
}

/** The lock of this state directory, and that of the shared journal if there is one. */
function openLockStore(target: ApplyTarget, sharedJournal: SharedJournal | undefined): LockStore {
  const about = [target.baseUrl, target.organizationId];
  const digest = createHash('sha256').update(JSON.stringify(about)).digest('hex');
  const file = lockInFile(join(stateDirectory(), 'applies', `${digest.slice(0, 32)}.lock`));
  return sharedJournal === undefined
    ? file
    : lockInBoth(file, lockInJournal(sharedJournal, ['apply', ...about]));
}

/** Renews the lock in the background while `work` runs, which may take long between two steps. */
async function runWhileRenewing<T>(lock: HeldLock, work: (lock: ApplyLock) => Promise<T>): Promise<T> {
  let isHeld = true;
  let renewedAt = performance.now();
  const renew = async (): Promise<void> => {
    try {
      isHeld = isHeld && (await lock.renew(validMs));
      renewedAt = performance.now();
    } catch {
      // The engine cannot be reached. No step can be recorded then, and after that time another process may have the lock.
      if (performance.now() - renewedAt > validMs) isHeld = false;
    }
  };
  const timer = setInterval(() => void renew(), renewMs);
  timer.unref();
  try {
    return await work({
      async isHeld() {
        // The process may have been suspended.
        if (performance.now() - renewedAt > 2 * renewMs) await renew();
        return isHeld;
      },
    });
  } finally {
    clearInterval(timer);
  }
}

function applyInProgressError({ holder, who, expiry }: LockedBy, timeoutMs: number): CliError {
  const waited = timeoutMs > 0 ? ` after ${timeoutMs / 1000} s` : '';
  return new CliError(
    `Another apply to this organization is still in progress${waited}: ${who}. Nothing was applied.`,
    {
      code: 'APPLY_UNDER_WAY',
      exit: exitCodes.conflict,
      hint: `Try again when it has ended, or wait for it with --lock-timeout 600.${expiry}`,
      extra: { holder },
    },
  );
}

/** The failure of an apply whose lock another process took over. */
export function applyTakenOverError({ baseUrl }: ApplyTarget): CliError {
  return new CliError(
    `Another process took over this apply to ${baseUrl} because the lock of this process expired. This process has stopped.`,
    {
      code: 'APPLY_TAKEN_OVER',
      exit: exitCodes.unknown,
      hint: 'Wait for the other process, then compare again: orgchat config diff FILE',
    },
  );
}
