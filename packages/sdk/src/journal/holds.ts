import { isAlive, isThisProcess } from './owner.ts';
import type { Stored } from './stored.ts';

/* What this process took in hand and did not settle, by path. All its journals share it, as they share files. */

interface Hold {
  /** What is in the file as long as nobody else took it. */
  readonly text: string;
  /** What the wall clock was ahead of performance.now(); Infinity once nobody is at work on it any more. */
  readonly clock: number;
}

const holds = new Map<string, Hold>();

/** No call outlives its deadline by more. */
const graceMs = 5_000;

export function hold(path: string, text: string): void {
  holds.set(path, { text, clock: Date.now() - performance.now() });
}

/** What this process wrote to a file that it holds, or could not settle. */
export function heldText(path: string): string | undefined {
  return holds.get(path)?.text;
}

/** Nobody of this process is at work on it any more, though its file says so. */
export function letGo(path: string): void {
  holds.set(path, { text: heldText(path) ?? '', clock: Infinity });
}

/** Its file does not name this process any more. */
export function forget(path: string): void {
  holds.delete(path);
}

/** Whether the holder of an entry may still be at work on it. */
export function isHeld(path: string, { owner, entry }: Stored): boolean {
  if (owner === undefined) return false;
  const isOver = (now: number): boolean => now > Date.parse(entry.deadline) + graceMs;
  if (!isThisProcess(owner)) return isAlive(owner) ?? !isOver(Date.now());
  // A call of this process is over when it is by the clock as it went since, not as somebody set it.
  const own = holds.get(path);
  return !isOver(own ? performance.now() + own.clock : Date.now());
}
