import { createDrainingError } from '../errors/create-errors.ts';

/** The writes in progress of a client, and of the clients that its `with()` made. */
export interface WritesInProgress {
  readonly calls: Set<Promise<unknown>>;
  /** Set by `drain()`: no further write begins. */
  isDraining: boolean;
}

/** Runs a write that the `drain()` of each group waits for. Throws if one of them does not accept new writes. */
export async function trackWrite<T>(
  groups: readonly WritesInProgress[],
  operationId: string,
  run: () => Promise<T>,
): Promise<T> {
  if (groups.some(({ isDraining }) => isDraining)) {
    throw createDrainingError(operationId);
  }
  const call = run();
  for (const { calls } of groups) calls.add(call);
  try {
    return await call;
  } finally {
    for (const { calls } of groups) calls.delete(call);
  }
}
