/* Work on a folder of any size, cut into slices so short that the event loop is never blocked for long. */

/** A slice ends after this many steps, or after this many milliseconds if its steps are slow. */
export const stepsPerSlice = 50;
const msPerSlice = 2;
/** Between two slices in the background the process has this long for its own work. */
const pauseMs = 20;

/** A step may hand back a promise of work that is done off this thread; the next slice begins when it is over. */
export type Steps = Iterator<Promise<unknown> | undefined>;

/** Runs one slice. Returns whether there is more to do, or what has to be over before that. */
function runSlice(steps: Steps): boolean | Promise<unknown> {
  const endsAt = performance.now() + msPerSlice;
  for (let n = 0; n < stepsPerSlice && performance.now() < endsAt; n++) {
    const { done, value } = steps.next();
    if (done) return false;
    if (value) return value;
  }
  return true;
}

/** Runs all steps, and lets the event loop turn between two slices. */
export async function runInSlices(steps: Steps): Promise<void> {
  for (let more = runSlice(steps); more; more = runSlice(steps)) {
    await (more === true ? new Promise((resolve) => setImmediate(resolve)) : more);
  }
}

/**
 * Runs the first slice now and the others in the background, which keeps no process from ending. `over` is called after
 * the last one. Steps that throw or reject end the work.
 */
export function runInBackground(steps: Steps, over: () => void): void {
  const pause = (): void => void setTimeout(next, pauseMs).unref();
  function next(): void {
    try {
      const more = runSlice(steps);
      if (more === false) over();
      else if (more === true) pause();
      else more.then(pause, over);
    } catch {
      over();
    }
  }
  next();
}
