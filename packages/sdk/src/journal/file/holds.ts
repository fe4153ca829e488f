import { isAlive, isThisProcess } from '@orgchat/atomic-files';
import { getHoldEnd } from '../entries.ts';
import type { StoredEntry } from './stored-entry.ts';

/* The holds that this process has taken and not settled, by path. All its journals share them, as they share files. */

interface HoldRecord {
  readonly token: string | undefined;
  /** The content of the file while no other process has taken the entry. */
  readonly text: string;
  /** How far the wall clock was ahead of performance.now(); Infinity after the hold was released. */
  readonly clock: number;
}

const holds = new Map<string, HoldRecord>();

const findHold = (path: string, token: string | undefined): HoldRecord | undefined => {
  const held = holds.get(path);
  return held?.token === token ? held : undefined;
};

export function rememberHold(path: string, token: string | undefined, text: string): void {
  holds.set(path, { token, text, clock: Date.now() - performance.now() });
}

/** Returns what this process wrote to a file that it holds under this token, or could not settle. */
export function findHeldText(path: string, token: string | undefined): string | undefined {
  return findHold(path, token)?.text;
}

/** Ends the use of an entry under this token by this process, although its file still names the process. */
export function release(path: string, token: string | undefined): void {
  holds.set(path, { token, text: findHeldText(path, token) ?? '', clock: Infinity });
}

/** Removes the record of a hold: the file no longer names this process under this token. */
export function forgetHold(path: string, token: string | undefined): void {
  if (findHold(path, token)) holds.delete(path);
}

/** Ends the use of an entry by this process under any token. */
export function releaseAny(path: string): void {
  const held = holds.get(path);
  if (held) release(path, held.token);
}

/** Removes the record of any hold: the file is gone. */
export function forgetAllHolds(path: string): void {
  holds.delete(path);
}

/** Whether an entry is held, as far as its file and this process say. */
export type HoldState =
  | { readonly isHeld: false }
  /** When the hold ends at the latest, in milliseconds since the epoch; undefined if it ends only with its process. */
  | { readonly isHeld: true; readonly until: number | undefined };

const free: HoldState = { isHeld: false };

/** Returns whether the holder of an entry may still be using it. */
export function getHoldState(path: string, { owner, entry }: StoredEntry): HoldState {
  if (owner === undefined) return free;
  const end = getHoldEnd(entry.deadline);
  if (isThisProcess(owner)) {
    // For a call of this process, elapsed time counts: a wall clock that was changed in the meantime has no effect.
    const own = holds.get(path);
    const now = own ? performance.now() + own.clock : Date.now();
    return now > end ? free : { isHeld: true, until: Date.now() + end - now };
  }
  const alive = isAlive(owner);
  const isOver = Date.now() > end;
  if (alive === false || (alive === undefined && isOver)) return free;
  return { isHeld: true, until: isOver ? undefined : end };
}
