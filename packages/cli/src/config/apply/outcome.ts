import { type ExitCode, exitCodes } from '../../exit-codes.ts';
import type { Failure } from '../../failure.ts';
import type { Applied } from './run.ts';

/**
 * What a failure says about its step. `unknown`: it may have been applied. `refused`: for good, since what the plan
 * relied on is no longer so. `elsewhere`: another process that is at work on the same plan has it. `hindered`: not
 * applied, and it can be tried again (a limit, the network, the key).
 */
type Verdict = 'unknown' | 'refused' | 'elsewhere' | 'hindered';

const refusals: readonly ExitCode[] = [exitCodes.conflict, exitCodes.notFound, exitCodes.usage];

export function verdictOf({ exit, code, meaning }: Failure): Verdict {
  if (exit === exitCodes.unknown) return 'unknown';
  if (code === 'OPERATION_IN_FLIGHT') return 'elsewhere';
  return refusals.includes(exit) && meaning !== 'runtimeUnavailable' ? 'refused' : 'hindered';
}

/** The failure that decides how it ended: the one that leaves most open. */
export function decidingFailure({ failed }: Applied): Applied['failed'][number] | undefined {
  const of = (wanted: Verdict) => failed.find(({ failure }) => verdictOf(failure) === wanted);
  return of('unknown') ?? of('refused') ?? of('elsewhere') ?? of('hindered');
}

/** How an apply ended, with the exit code of it. */
export interface Ending {
  readonly exit: ExitCode;
  /**
   * Whether the plan is worth going on with: `over` where it is through or refused for good, `open` where it is
   * refused and something is still to be settled, else `goesOn`.
   */
  readonly plan: 'over' | 'open' | 'goesOn';
}

export function endingOf(result: Applied): Ending {
  const { done, failed, left } = result;
  const verdicts = failed.map(({ failure }) => verdictOf(failure));
  const [isUnknown, isRefused] = [verdicts.includes('unknown'), verdicts.includes('refused')];
  const failure = decidingFailure(result)?.failure;
  if (isUnknown) return { exit: exitCodes.unknown, plan: isRefused ? 'open' : 'goesOn' };
  if (failure !== undefined && isRefused) {
    // A record that is gone is a stale plan, as one that was changed is.
    const exit = failure.exit === exitCodes.notFound ? exitCodes.conflict : failure.exit;
    return { exit, plan: 'over' };
  }
  // The other one still needs the plan, and leaves behind what it cannot finish.
  if (verdicts.includes('elsewhere')) return { exit: exitCodes.conflict, plan: 'goesOn' };
  const isBegun = done.length > 0;
  if (failure === undefined && left.length === 0) return { exit: exitCodes.done, plan: 'over' };
  const exit = isBegun || failure === undefined ? exitCodes.unknown : failure.exit;
  return { exit, plan: isBegun ? 'goesOn' : 'over' };
}
