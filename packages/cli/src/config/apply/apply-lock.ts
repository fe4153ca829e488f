import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { stateDirectory } from '../../settings/directories.ts';
import { type HeldLock, type Holder, isHeldLock, Lock } from '../../settings/process-lock.ts';
import type { SharedJournal } from '../../shared-journal/shared-journal.ts';
import type { Plan } from '../plan/plan-schema.ts';

/*
 * One apply runs at a time per organization, from reading the organization to the last step. It locks out applies with the
 * same state directory, and with the same shared journal. Others are not locked out; see `createOnce` of the SDK.
 */

/** The organization and its server. */
export type ApplyTarget = Pick<Plan, 'baseUrl' | 'organizationId'>;

/**
 * Lifetime of a lock that is not renewed. It only matters if the process cannot be checked: in another container, or
 * on another machine with the same state directory.
 */
const validMs = 90_000;
const renewMs = 20_000;
const pollMs = 250;

const getLockPath = ({ baseUrl, organizationId }: ApplyTarget): string => {
  const digest = createHash('sha256')
    .update(JSON.stringify([baseUrl, organizationId]))
    .digest('hex');
  return join(stateDirectory(), 'applies', `${digest.slice(0, 32)}.lock`);
};

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
  const { sharedJournal } = await context.connect();
  const lock = await takeLock(context, target, sharedJournal, timeoutMs);
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
    await lock.release();
  }
}

/** Takes the lock of this state directory, then that of the shared journal. */
async function tryToTake(
  target: ApplyTarget,
  sharedJournal: SharedJournal | undefined,
): Promise<HeldLock | Holder> {
  const local = Lock.take(getLockPath(target), validMs);
  if (!(local instanceof Lock) || sharedJournal === undefined) return local;
  try {
    const { baseUrl, organizationId } = target;
    const shared = await sharedJournal.takeLock(['apply', baseUrl, organizationId], validMs);
    if (isHeldLock(shared)) return joinLocks(local, shared);
    local.release();
    return shared;
  } catch (error) {
    local.release();
    throw error;
  }
}

const joinLocks = (local: HeldLock, shared: HeldLock): HeldLock => ({
  renew: async (ms) => (await local.renew(ms)) && (await shared.renew(ms)),
  async release() {
    await shared.release();
    await local.release();
  },
});

async function takeLock(
  context: Context,
  target: ApplyTarget,
  sharedJournal: SharedJournal | undefined,
  timeoutMs: number,
): Promise<HeldLock> {
  const endsAt = performance.now() + timeoutMs;
  for (let isNoted = false; ; isNoted = true) {
    const lock = await tryToTake(target, sharedJournal);
    if (isHeldLock(lock)) return lock;
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) throw applyInProgressError(lock, getLockPath(target), timeoutMs);
    if (!isNoted) context.output.note(`Waiting for another apply: ${describeHolder(lock)}.`);
    await sleep(Math.min(pollMs, leftMs), undefined, { signal: context.interrupt.signal });
  }
}

/** `process 4711 on build-3, since 2026-11-22T12:00:00.000Z` */
function describeHolder({ host, pid, since }: Holder): string {
  const who = host === '' ? 'another process' : `process ${pid} on ${host}`;
  return since === undefined ? who : `${who}, since ${since}`;
}

function applyInProgressError(holder: Holder, path: string, timeoutMs: number): CliError {
  const { until } = holder;
  const waited = timeoutMs > 0 ? ` after ${timeoutMs / 1000} s` : '';
  const unseen =
    until === undefined
      ? ''
      : ` Whether that process is alive cannot be checked from here. Its lock expires at ${until}, or when you remove ${path}.`;
  return new CliError(
    `Another apply to this organization is still in progress${waited}: ${describeHolder(holder)}. Nothing was applied.`,
    {
      code: 'APPLY_UNDER_WAY',
      exit: exitCodes.conflict,
      hint: `Try again when it has ended, or wait for it with --lock-timeout 600.${unseen}`,
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
