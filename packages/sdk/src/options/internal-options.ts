import type { CallOptions } from './options.ts';

/** The key of an option that users of the package cannot give. Checks of options do not see a symbol. */
const waitsOnly = Symbol('the signal ends waits only');

interface InternalCallOptions extends CallOptions {
  readonly [waitsOnly]?: true;
}

/**
 * Returns options of a call whose signal ends waits only. Cutting off a write leaves its outcome open, and that of a
 * keyword write cannot be found out later. So an abort ends the waits before a write is sent, and lets a request that
 * is on its way finish. A change whose last answer decided nothing is still on its way: it is sent again until it is
 * settled or its deadline passes.
 */
export function endWaitsOnly(signal: AbortSignal | undefined): Pick<CallOptions, 'signal'> {
  const options: InternalCallOptions = { signal, [waitsOnly]: true };
  return options;
}

/** Whether the signal of a call ends waits only. */
export function doesSignalEndWaitsOnly(options: CallOptions | undefined): boolean {
  return (options as InternalCallOptions | undefined)?.[waitsOnly] === true;
}
