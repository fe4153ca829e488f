import { cleanScratch } from './clean-scratch.ts';
import type { ContractTarget } from './run-file.ts';
import type { LeftRecord } from './scratch.ts';
import { Stopped } from './sender.ts';
import { requireWriteKey, type StartOptions, startRun } from './start-run.ts';

export interface CleanResult {
  /** Ids of records. */
  readonly removed: readonly string[];
  readonly left: readonly LeftRecord[];
  /** Why it ended before everything was removed. */
  readonly stopped: Stopped | undefined;
}

/** Removes what earlier checks have left in the organization of a key, if `confirm` does not throw. */
export async function runClean(
  target: ContractTarget,
  {
    confirm,
    ...options
  }: Omit<StartOptions, 'budget'> & { confirm(left: readonly LeftRecord[]): Promise<void> },
): Promise<CleanResult> {
  // It was asked for, so it sends what removing takes.
  const started = await startRun(target, { ...options, budget: Number.POSITIVE_INFINITY });
  const { sender, scratch } = started;
  if (scratch.entries.length === 0) return { removed: [], left: [], stopped: undefined };
  requireWriteKey(started);
  await confirm(scratch.left);
  const removed = new Set<string>();
  const onRemoved = (id: string): void => void removed.add(id);
  let stopped: Stopped | undefined;
  try {
    await cleanScratch(scratch, { ...sender.toCleaner(), onRemoved, forgetsUnseen: true });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    stopped = error;
  }
  return { removed: [...removed], left: scratch.left, stopped };
}
