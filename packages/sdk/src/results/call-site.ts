/*
 * An error is created long after the program made its call, so its own stack may not show that line.
 *
 * A read captures it when it fails: V8 then still knows which functions await the call. At its start, this would cost a
 * tenth of a read, nearly as much with fewer frames. Changes, methods that do more than one request, and uses of a call
 * other than `await` capture it at once.
 */

/** Where a public method was called or awaited. */
export interface CallSite {
  readonly stack?: string;
}

/**
 * Captures where the function was called, or is awaited, that calls this. The text of the stack is made only if it is read.
 * An error costs less than `Error.captureStackTrace`, which adds a property to an object.
 */
export const captureCallSite = (): CallSite => new Error();

/** Splits a stack into its lines, without the message, and without this function and the one that called it. */
function readFrames({ stack = '' }: CallSite = {}): string[] {
  return `${stack}`
    .split('\n')
    .filter((line) => /^ +at |@/.test(line))
    .slice(2);
}

/** Adds the frames of a call to the stack of its error, unless they are there. */
export function showCallSite(error: unknown, site: CallSite | undefined): void {
  const thrown: { stack?: unknown } = Object(error);
  const { stack } = thrown;
  if (typeof stack !== 'string') return;
  const frames = readFrames(site);
  const shown = new Set(stack.split('\n'));
  const from = frames.findIndex((frame) => !shown.has(frame));
  try {
    if (from >= 0) thrown.stack = [stack, ...frames.slice(from)].join('\n');
  } catch {
    // What a callback or a journal throws may be frozen.
  }
}

/** Runs the work of a public method that was just called. If it rejects, the stack of its error shows where. */
export async function runHere<T>(work: () => T | PromiseLike<T>, site = captureCallSite()): Promise<T> {
  try {
    return await work();
  } catch (error) {
    showCallSite(error, site);
    throw error;
  }
}

/** Iterates for a public method that was just called. */
export async function* iterateHere<T>(
  open: () => AsyncIterable<T>,
  site = captureCallSite(),
): AsyncGenerator<T> {
  try {
    yield* open();
  } catch (error) {
    showCallSite(error, site);
    throw error;
  }
}
