import { FleetError } from '../fleet-error.ts';
import { requireKnown, requirePositive, warnProcess } from '../options.ts';
import type { StoreWarning } from '../store-warning.ts';

/** Options of a journal in any store. */
export interface StoreJournalOptions {
  /** How long a call tries to reach the engine, in milliseconds. Default 5,000. It rides out a short restart. */
  readonly timeoutMs?: number | undefined;
  /** How long settled entries are kept after they were last used, in days. Default 7. */
  readonly keepSettledDays?: number | undefined;
  /** Called with what the journal cannot promise on this engine. Default: `process.emitWarning`. */
  readonly onWarning?: ((warning: StoreWarning) => void) | undefined;
}

/**
 * Checks the options of a journal and adds the defaults. `ownOption` is the option that only this engine has, `where`
 * the function that got them. Throws `INVALID_OPTIONS`.
 */
export function readJournalOptions(options: StoreJournalOptions, ownOption: string, where: string) {
  requireKnown(options, [ownOption, 'timeoutMs', 'keepSettledDays', 'onWarning'], where);
  const { onWarning = warnProcess } = options;
  if (typeof onWarning !== 'function')
    throw new FleetError(`onWarning must be a function; got ${typeof onWarning}.`, {
      code: 'INVALID_OPTIONS',
    });
  return {
    timeoutMs: requirePositive(options.timeoutMs ?? 5_000, 'timeoutMs'),
    keepSettledDays: requirePositive(options.keepSettledDays ?? 7, 'keepSettledDays'),
    onWarning,
  };
}
