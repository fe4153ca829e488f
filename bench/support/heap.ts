import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Megabytes that are still held once everything unreachable is gone. */
export async function heldMegabytes(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    collect();
    // What the collector found is let go of in tasks of their own.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}
