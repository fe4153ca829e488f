/* Work on a folder of any size, cut into slices so short that the event loop is never blocked for long. */

/** A slice ends after this many steps, or after this many milliseconds if its steps are slow. */
export const stepsPerSlice = 50;
const msPerSlice = 4;
/** Between two slices in the background the process has this long for its own work. */
const pauseMs = 20;

/** Runs one slice. Returns whether there is more to do. */
function runSlice(steps: Iterator<unknown>): boolean {
  const endsAt = performance.now() + msPerSlice;
  for (let n = 0; n < stepsPerSlice && performance.now() < endsAt; n++) {
    if (steps.next().done) return false;
  }
  return true;
}

/** Runs all steps, and lets the event loop turn between two slices. */
export async function runInSlices(steps: Iterator<unknown>): Promise<void> {
  while (runSlice(steps)) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Runs the first slice now and the others in the background, which keeps no process from ending. `over` is called after
 * the last one. Steps that throw end the work.
 */
export function runInBackground(steps: Iterator<unknown>, over: () => void): void {
  const next = (): void => {
    try {
      if (runSlice(steps)) setTimeout(next, pauseMs).unref();
      else over();
    } catch {
      over();
    }
  };
  next();
}
