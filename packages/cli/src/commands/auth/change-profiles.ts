import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { type LockOptions, lockInFile, withLock } from '../../locks/with-lock.ts';
import { type Profiles, profilesPath, readProfiles, writeProfiles } from '../../settings/profiles.ts';

/** How long the lock is valid if its process cannot be checked, and how long to wait for it. A keychain may ask a person. */
const lockMs = 60_000;

/**
 * Changes profiles and their keys while no other process does. `work` gets the profiles as they are now, and a function
 * that writes them.
 */
export async function changeProfiles<T>(
  signal: AbortSignal,
  work: (before: Profiles, write: (after: Profiles) => Promise<void>) => Promise<T>,
): Promise<T> {
  const options: LockOptions = {
    store: lockInFile(`${profilesPath()}.lock`),
    validMs: lockMs,
    waiting: { timeoutMs: lockMs, signal, onStart: () => {} },
    inProgressError: ({ who, expiry }) =>
      new CliError(`Another login or logout is still in progress: ${who}. Nothing was changed.`, {
        code: 'LOGIN_UNDER_WAY',
        exit: exitCodes.conflict,
        hint: `Try again when it has ended.${expiry}`,
      }),
  };
  return withLock(options, async () => work(await readProfiles(), writeProfiles));
}
