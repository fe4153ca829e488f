import { randomInt } from 'node:crypto';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { emitFleetEvent } from '../events/fleet-events.ts';
import { isTransient, toFleetError } from './engine-error.ts';
import { askForLock, openLockSession } from './lock-session.ts';
import type { PgPool, Session } from './pool.ts';

/** The number of a lock that is held, or why none can be. */
export type Lock = { readonly number: number } | { readonly leaseOnly: string };

/** Something that this process holds, for so many milliseconds at most. */
export interface Hold {
  readonly token: string;
  readonly ms: number;
}

/** Keeps the session lock of this process. */
export interface LockKeeper {
  /**
   * Returns the lock, which is taken first if it is not held. While the engine cannot be reached, it tries again for at most
   * `timeoutMs`. With a hold, the engine has confirmed the lock in the last seconds, and is asked until the hold ends.
   */
  current(timeoutMs: number, hold?: Hold): Promise<Lock>;
  /** Ends the hold of a token. */
  end(token: string): void;
}

/** Lock numbers below this are for other purposes. */
const firstNumber = 1_000;
export const newNumber = (): number => randomInt(firstNumber, 2 ** 31 - 1);

/** How often to look after the session, in milliseconds. */
const lookMs = 1_000;
/** How old the last answer of the engine may be while something is held, in milliseconds. */
const askMs = 3_000;
/** How long an answer may take, in milliseconds. A session that does not answer is lost. */
const answerMs = 2_000;
/** How long it is tried to take a lost lock again, in milliseconds, before the next look. */
const regainMs = 5_000;
/** After so many refusals somebody else has the number. */
const mostRefusals = 3;

/**
 * Creates the keeper of the session lock of this process. While something is held by it, the engine is asked every few seconds, because a
 * connection to an engine that was replaced may say nothing for hours. A lock that was lost is taken again under the same
 * number, so that what this process holds is protected again.
 */
export function createLockKeeper(pool: PgPool): LockKeeper {
  let number = newNumber();
  let refusals = 0;
  /** The lock that is held, or being taken. */
  let taken: Promise<Lock> | undefined;
  let connection: Session | undefined;
  let timer: NodeJS.Timeout | undefined;
  let asking: Promise<void> | undefined;
  /** Whether this process had its number before, by `performance.now()` when it was last confirmed. */
  let confirmedAt: number | undefined;
  /** When each hold ends, by `performance.now()`. */
  const holds = new Map<string, number>();
  let isLost = false;

  function isHolding(): boolean {
    const now = performance.now();
    for (const [token, endsAt] of holds) if (endsAt <= now) holds.delete(token);
    return holds.size > 0;
  }
  const isStale = (): boolean => performance.now() - (confirmedAt ?? 0) >= askMs;
  // The pool ends with one such event for each of its connections. If it has none at that moment, it says nothing.
  pool.on('remove', () => void endWithPool());

  function endWithPool(): boolean {
    if (!pool.ending) return false;
    connection?.end().catch(() => undefined);
    connection = undefined;
    clearInterval(timer);
    timer = undefined;
    return true;
  }

  function look(): void {
    if (endWithPool()) return;
    if (connection) {
      if (isHolding() && isStale()) void ask(connection);
    } else if (isHolding()) {
      // What fails is tried again at the next look.
      if (!taken) take(regainMs).catch(() => undefined);
    } else {
      clearInterval(timer);
      timer = undefined;
    }
  }

  /** The engine does not have the lock, or soon will not: what this process holds counts as that of a dead one. */
  function lose(own: Session): void {
    if (connection !== own) return;
    if (!pool.ending) {
      isLost = true;
      emitFleetEvent('lock-lost', 'postgres');
    }
    connection = undefined;
    taken = undefined;
    own.end().catch(() => undefined);
  }

  /** Asks the engine whether it still has the lock of a session. Never rejects. */
  function ask(own: Session): Promise<void> {
    asking ??= withTimeLimit(() => askForLock(own, number), answerMs)
      .then(
        (isHeld) => {
          if (isHeld) confirmedAt = performance.now();
          else lose(own);
        },
        () => lose(own),
      )
      .finally(() => {
        asking = undefined;
      });
    return asking;
  }

  function watch(own: Session): void {
    connection = own;
    confirmedAt = performance.now();
    if (isLost) emitFleetEvent('lock-regained', 'postgres');
    isLost = false;
    own.on('error', () => lose(own));
    own.on('end', () => lose(own));
    own.unref();
    timer ??= setInterval(look, lookMs);
    timer.unref();
  }

  async function open(timeoutMs: number): Promise<Lock> {
    const endsAt = performance.now() + timeoutMs;
    for (let delayMs = 25; ; delayMs = Math.min(delayMs * 2, 400)) {
      try {
        const restMs = endsAt - performance.now();
        const isAgain = confirmedAt !== undefined;
        const opened = await withTimeLimit(
          (isTooLate) => openLockSession(pool, number, { timeoutMs: restMs, isTooLate, isAgain }),
          restMs,
        );
        if ('connection' in opened) {
          watch(opened.connection);
          return { number };
        }
        if ('leaseOnly' in opened) return opened;
        if (!isAgain || ++refusals >= mostRefusals) {
          number = newNumber();
          refusals = 0;
          confirmedAt = undefined;
        }
        throw new Error('The number of this process is in use. Try again.');
      } catch (error) {
        if (!isTransient(error) || performance.now() + delayMs >= endsAt)
          throw toFleetError('The session lock of this process', error);
        await sleep(delayMs);
      }
    }
  }

  function take(timeoutMs: number): Promise<Lock> {
    const opening = open(timeoutMs).catch((error: unknown) => {
      if (taken === opening) taken = undefined;
      throw error;
    });
    taken = opening;
    return opening;
  }

  return {
    async current(timeoutMs, hold) {
      if (hold) {
        holds.set(hold.token, performance.now() + timeoutMs + hold.ms);
        if (connection && isStale()) await ask(connection);
      }
      return taken ?? take(timeoutMs);
    },
    end: (token) => void holds.delete(token),
  };
}

/** Rejects if work takes too long. `work` asks whether this has happened, and then closes what it has opened. */
async function withTimeLimit<T>(work: (isTooLate: () => boolean) => Promise<T>, ms: number): Promise<T> {
  const limit = new AbortController();
  const { signal } = limit;
  let isTooLate = false;
  const wait = async (): Promise<never> => {
    await sleep(Math.max(1, ms), undefined, { signal, ref: false });
    // A process that was stopped for a while has the answer already, and has not read it yet.
    await setImmediate();
    isTooLate = true;
    throw new Error('Postgres did not answer in time');
  };
  const tooLate = wait();
  const done = work(() => isTooLate);
  try {
    return await Promise.race([done, tooLate]);
  } finally {
    tooLate.catch(() => undefined);
    done.catch(() => undefined);
    limit.abort();
  }
}
