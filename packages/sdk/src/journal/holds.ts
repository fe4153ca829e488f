import { endOfHold } from './journal.ts';
import { isAlive, isThisProcess } from './owner.ts';
import type { Stored } from './stored.ts';

/* What this process took in hand and did not settle, by path. All its journals share it, as they share files. */

interface Held {
  readonly token: string | undefined;
  /** What is in the file as long as nobody else took it. */
  readonly text: string;
  /** What the wall clock was ahead of performance.now(); Infinity once nobody is at work on it any more. */
  readonly clock: number;
}

const holds = new Map<string, Held>();

const heldUnder = (path: string, token: string | undefined): Held | undefined => {
  const held = holds.get(path);
  return held?.token === token ? held : undefined;
};

export function hold(path: string, token: string | undefined, text: string): void {
  holds.set(path, { token, text, clock: Date.now() - performance.now() });
}

/** What this process wrote to a file that it holds under this token, or could not settle. */
export function heldText(path: string, token: string | undefined): string | undefined {
  return heldUnder(path, token)?.text;
}

/** Nobody of this process is at work on it under this token any more, though its file says so. */
export function letGo(path: string, token: string | undefined): void {
  holds.set(path, { token, text: heldText(path, token) ?? '', clock: Infinity });
}

/** Its file does not name this process under this token any more. */
export function forget(path: string, token: string | undefined): void {
  if (heldUnder(path, token)) holds.delete(path);
}

/** Nobody of this process is at work on it any more, under any token. */
export function letGoOfAny(path: string): void {
  const held = holds.get(path);
  if (held) letGo(path, held.token);
}

/** Its file is gone. */
export function forgetAll(path: string): void {
  holds.delete(path);
}

/** Who has an entry in hand, as far as its file and this process tell. */
export type HoldState =
  | { readonly isHeld: false }
  /** When it is over at the latest, in milliseconds since the epoch; undefined if only the end of the holder tells. */
  | { readonly isHeld: true; readonly until: number | undefined };

const free: HoldState = { isHeld: false };

/** Whether the holder of an entry may still be at work on it. */
export function holdStateOf(path: string, { owner, entry }: Stored): HoldState {
  if (owner === undefined) return free;
  const end = endOfHold(entry.deadline);
  if (isThisProcess(owner)) {
    // A call of this process is over when it is by the clock as it went since, not as somebody set it.
    const own = holds.get(path);
    const now = own ? performance.now() + own.clock : Date.now();
    return now > end ? free : { isHeld: true, until: Date.now() + end - now };
  }
  const alive = isAlive(owner);
  const isOver = Date.now() > end;
  if (alive === false || (alive === undefined && isOver)) return free;
  return { isHeld: true, until: isOver ? undefined : end };
}
