import type { CallOptions } from './options.ts';

/**
 * The key of an option that users of the package cannot give. Checks of options do not see a symbol. Registered by its name,
 * because `@orgchat/fleet` bundles a copy of this file.
 */
const endingKey = Symbol.for('@orgchat/sdk/ending');

/** How a call ends whose signal ends waits only. */
export interface Ending {
  /** Whether the signal also ends a change whose last answer decided nothing: somebody sends it again later. */
  readonly inDoubt?: boolean;
  /** Whether a 429 ends the call: somebody sends it again when the limit allows it. */
  readonly atLimit?: boolean;
}

interface InternalCallOptions extends CallOptions {
  readonly [endingKey]?: Ending;
}

/**
 * Returns options of a call whose signal ends waits only. Cutting off a write leaves its outcome open, and that of a
 * keyword write cannot be found out later. So an abort ends the waits before a write is sent, and lets a request that
 * is on its way finish. A change whose last answer decided nothing is still on its way: it is sent again until it is
 * settled or its deadline passes, unless `inDoubt` is set.
 */
export function endWaitsOnly(
  signal: AbortSignal | undefined,
  ending: Ending = {},
): Pick<CallOptions, 'signal'> {
  const options: InternalCallOptions = { signal, [endingKey]: ending };
  return options;
}

/** Returns how a call ends whose signal ends waits only; undefined if its signal ends everything. */
export function getEnding(options: CallOptions | undefined): Ending | undefined {
  return (options as InternalCallOptions | undefined)?.[endingKey];
}
