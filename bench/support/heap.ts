import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Megabytes of the heap after a full garbage collection. */
export async function heldMegabytes(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    collect();
    // Finalizers run in tasks of their own.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}
