import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import { type Holder, Lock } from '../../settings/lock.ts';
import { stateDirectory } from '../../settings/paths.ts';
import type { Plan } from '../plan/document.ts';

/*
 * One apply at a time per organization and state directory, for its whole duration: from reading the organization to
 * the last step. Applies with other state directories are not kept out; for them see `createOnce` of the SDK.
 */

/** The organization, and where it is. */
export type Place = Pick<Plan, 'baseUrl' | 'organizationId'>;

/**
 * How long a lock is valid without a sign of life. It only counts where the process cannot be looked up: in another
 * container, or on another machine that shares the state directory.
 */
const validMs = 90_000;
const renewMs = 20_000;
const pollMs = 250;

const pathFor = ({ baseUrl, organizationId }: Place): string => {
  const digest = createHash('sha256')
    .update(JSON.stringify([baseUrl, organizationId]))
    .digest('hex');
  return join(stateDirectory(), 'applies', `${digest.slice(0, 32)}.lock`);
};

/** The lock of the apply that is running in this process. */
export interface ApplyLock {
  /** False once another process took it over, because it heard nothing of this one for too long. */
  isHeld(): boolean;
}

/**
 * Runs `work` while no other process with this state directory applies anything to the organization. Waits at most
 * `timeoutMs` for another apply, then ends the command with exit code 5.
 */
export async function withApplyLock<T>(
  context: Context,
  place: Place,
  timeoutMs: number,
  work: (lock: ApplyLock) => Promise<T>,
): Promise<T> {
  const lock = await takeLock(context, pathFor(place), timeoutMs);
  let isHeld = true;
  let renewedAt = performance.now();
  const renew = (): void => {
    isHeld = isHeld && lock.renew(validMs);
    renewedAt = performance.now();
  };
  const timer = setInterval(renew, renewMs);
  timer.unref();
  try {
    return await work({
      isHeld() {
        // The process may have been suspended.
        if (performance.now() - renewedAt > 2 * renewMs) renew();
        return isHeld;
      },
    });
  } finally {
    clearInterval(timer);
    lock.release();
  }
}

async function takeLock(context: Context, path: string, timeoutMs: number): Promise<Lock> {
  const endsAt = performance.now() + timeoutMs;
  for (let isNoted = false; ; isNoted = true) {
    const lock = Lock.take(path, validMs);
    if (lock instanceof Lock) return lock;
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) throw inProgress(lock, path, timeoutMs);
    if (!isNoted) context.output.note(`Waiting for another apply: ${describe(lock)}.`);
    await sleep(Math.min(pollMs, leftMs), undefined, { signal: context.interrupt.signal });
  }
}

/** `process 4711 on build-3, since 2026-11-22T12:00:00.000Z` */
function describe({ host, pid, since }: Holder): string {
  const who = host === '' ? 'another process' : `process ${pid} on ${host}`;
  return since === undefined ? who : `${who}, since ${since}`;
}

function inProgress(holder: Holder, path: string, timeoutMs: number): Failure {
  const { until } = holder;
  const waited = timeoutMs > 0 ? ` after ${timeoutMs / 1000} s` : '';
  const unseen =
    until === undefined
      ? ''
      : ` Whether that process is alive cannot be seen from here. It counts as dead after ${until} unless it gives a sign of life, or once you remove ${path}.`;
  return new Failure(
    `Another apply to this organization is still in progress${waited}: ${describe(holder)}. Nothing was applied.`,
    {
      code: 'APPLY_UNDER_WAY',
      exit: exitCodes.conflict,
      hint: `Run this again when it has ended, or wait for it with --lock-timeout 600.${unseen}`,
      extra: { holder },
    },
  );
}

/** The failure of an apply whose lock another process took over. */
export function takenOver(): Failure {
  return new Failure(
    'Another process took over this apply because it heard nothing of this process for too long. This process has stopped.',
    {
      code: 'APPLY_TAKEN_OVER',
      exit: exitCodes.unknown,
      hint: 'Wait for the other process, then see what is left: orgchat config diff FILE',
    },
  );
}
