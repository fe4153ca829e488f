/** By name: the unfinished work of this process, which runs one after the other. */
const lines = new Map<string, Promise<unknown>>();

/**
 * Runs work after all earlier work of the same name has ended. `work` starts at once, and waits for what it is given: so
 * its own deadline or signal may end it before that.
 */
export async function runInOrder<T>(
  name: string,
  work: (earlier: Promise<unknown> | undefined) => Promise<T>,
): Promise<T> {
  const earlier = lines.get(name);
  const result = work(earlier);
  const leave = (): void => {
    if (lines.get(name) === all) lines.delete(name);
  };
  // Work may end while earlier work is still running.
  const all = Promise.allSettled([result, earlier]).then(leave);
  lines.set(name, all);
  return result;
}

/** A place in a line of work. */
interface Place {
  /** The work before it, which does not reject; undefined if there is none. */
  readonly earlier: Promise<unknown> | undefined;
  /** Lets the work after it begin. */
  leave(): void;
}

/** Takes the next place in the line of a name, until it is left. */
export function takePlace(name: string): Place {
  let earlier: Promise<unknown> | undefined;
  let leave = (): void => undefined;
  void runInOrder(name, (before) => {
    earlier = before;
    return new Promise<void>((resolve) => {
      leave = resolve;
    });
  });
  return { earlier, leave };
}

/** Returns work that runs once at a time: while it runs, further calls get the result of that run. */
export function joinRuns<Given extends readonly unknown[], T>(
  work: (...given: Given) => Promise<T>,
): (...given: Given) => Promise<T> {
  let inProgress: Promise<T> | undefined;
  return (...given) => {
    inProgress ??= work(...given).finally(() => {
      inProgress = undefined;
    });
    return inProgress;
  };
}
