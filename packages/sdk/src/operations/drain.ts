import type { ClientContext } from '../client-context.ts';
import { createInvalidOptionsError as invalid, requireKnown } from '../errors/refused.ts';
import { createDeadline } from '../timing/deadline.ts';
import { describeType } from '../values.ts';
import type { DrainOptions } from './operations-api.ts';

/** Stops new writes of a client, and waits for those in progress. Throws `INVALID_OPTIONS` before it does anything. */
export async function drainWrites(client: ClientContext, options: DrainOptions): Promise<void> {
  requireKnown(options, ['signal', 'timeoutMs'], 'drain()');
  const { signal, timeoutMs = Infinity } = options;
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= 0)) {
    throw invalid(`timeoutMs must be a number, 0 or greater; got ${describeValue(timeoutMs)}.`);
  }
  const deadline = createDeadline(timeoutMs, signal ?? undefined);
  const [group] = client.writes;
  if (!group) return;
  group.isDraining = true;
  await deadline.sleep(Infinity, Promise.allSettled(group.calls));
}

const describeValue = (value: unknown): string =>
  typeof value === 'number' ? String(value) : describeType(value);
