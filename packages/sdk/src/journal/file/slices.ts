/* Work on a folder of any size, cut into slices so short that the event loop is never blocked for long. */

/** A slice ends after this many steps, or after this many milliseconds if its steps are slow. */
export const stepsPerSlice = 50;
const msPerSlice = 2;
/** The pause between two slices in the background, in which the process does its own work. */
const pauseMs = 20;

/** A step may yield a promise of asynchronous work; the next slice starts when it is settled. */
export type Steps = Iterator<Promise<unknown> | undefined>;

/** Runs one slice. Returns whether there is more to do, or a promise to wait for before that. */
function runSlice(steps: Steps): boolean | Promise<unknown> {
  const endsAt = performance.now() + msPerSlice;
  for (let n = 0; n < stepsPerSlice && performance.now() < endsAt; n++) {
    const { done, value } = steps.next();
    if (done) return false;
    if (value) return value;
  }
  return true;
}

/** Runs all steps, and yields to the event loop between two slices. */
export async function runInSlices(steps: Steps): Promise<void> {
  for (let more = runSlice(steps); more; more = runSlice(steps)) {
    await (more === true ? new Promise((resolve) => setImmediate(resolve)) : more);
  }
}

/**
 * Runs the first slice now and the others in the background, which does not keep the process alive. Calls `onEnd`
 * after the last one. A step that throws or rejects ends the work.
 */
export function runInBackground(steps: Steps, onEnd: () => void): void {
  const pause = (): void => void setTimeout(next, pauseMs).unref();
  function next(): void {
    try {
      const more = runSlice(steps);
      if (more === false) onEnd();
      else if (more === true) pause();
      else more.then(pause, onEnd);
    } catch {
      onEnd();
    }
  }
  next();
}
