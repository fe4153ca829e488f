import type { WorkerNote } from './plan.ts';

/** Of one line. */
type Question = Omit<Extract<WorkerNote, { type: 'asked' }>, 'line'>;

/** How late a question may be before its place leaves the line, in milliseconds. The engine allows three seconds. */
const graceMs = 2_900;

/** A place from the end of its first question to the question that was granted. */
interface Wait {
  readonly place: string;
  readonly firstFrom: number;
  readonly firstTo: number;
  readonly grantFrom: number;
  readonly grantTo: number;
  /** Whether it was always asked about in time, so that it never left the line. */
  readonly isKept: boolean;
}

function toWaits(questions: readonly Question[]): Wait[] {
  const byPlace = new Map<string, Question[]>();
  for (const question of questions) {
    const asked = byPlace.get(question.place) ?? [];
    asked.push(question);
    byPlace.set(question.place, asked);
  }
  const waits: Wait[] = [];
  for (const [place, asked] of byPlace) {
    const [first] = asked;
    const granted = asked.find(({ state }) => state === 'granted');
    if (!first || !granted) continue;
    const isKept = asked.every(
      ({ from, state, askAgainMs = 0 }, n) =>
        // The engine decided at some moment between the question and its answer.
        state !== undefined && (asked[n + 1]?.to ?? from) - from <= askAgainMs + graceMs,
    );
    waits.push({
      place,
      firstFrom: first.from,
      firstTo: first.to,
      grantFrom: granted.from,
      grantTo: granted.to,
      isKept,
    });
  }
  return waits;
}

/**
 * Finds requests that passed another one: each entered the line after the other was in it, and was granted before the other
 * asked the question that was granted. Requests that left the line, because their worker could not ask, are not compared:
 * `compared` is the number of the others.
 */
export function findOvertakings(questions: readonly Question[]): {
  readonly found: readonly string[];
  readonly compared: number;
} {
  const waits = toWaits(questions);
  const byEntry = waits.toSorted((one, other) => one.firstFrom - other.firstFrom);
  const found: string[] = [];
  // For each position: the earliest grant of those that entered from there on.
  const earliest: Wait[] = [];
  for (let n = byEntry.length - 1; n >= 0; n--) {
    const [here, after] = [byEntry[n] as Wait, earliest[n + 1]];
    earliest[n] = after && after.grantTo < here.grantTo ? after : here;
  }
  for (const wait of waits) {
    if (!wait.isKept) continue;
    let [low, high] = [0, byEntry.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((byEntry[middle] as Wait).firstFrom > wait.firstTo) high = middle;
      else low = middle + 1;
    }
    const rival = earliest[low];
    if (rival && rival.grantTo < wait.grantFrom)
      found.push(
        `${rival.place} entered ${Math.round(rival.firstFrom - wait.firstTo)} ms after ${wait.place}, and was granted ${Math.round(wait.grantFrom - rival.grantTo)} ms before`,
      );
  }
  return { found, compared: waits.filter(({ isKept }) => isKept).length };
}

/** Returns the largest number of times in any window of this many milliseconds. */
export function findWorstWindow(times: readonly number[], windowMs: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  let [worst, from] = [0, 0];
  for (const [n, time] of sorted.entries()) {
    while ((sorted[from] as number) <= time - windowMs) from++;
    worst = Math.max(worst, n - from + 1);
  }
  return worst;
}

/** Compares the names that exist with how often each must. */
export function compareNames(
  existing: readonly string[],
  expected: ReadonlyMap<string, { readonly atLeast: 0 | 1; readonly atMost: 0 | 1 }>,
): {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly unexpected: readonly string[];
} {
  const counts = new Map<string, number>();
  for (const name of existing) counts.set(name, (counts.get(name) ?? 0) + 1);
  const lost: string[] = [];
  const doubled: string[] = [];
  const unexpected: string[] = [];
  for (const [name, { atLeast, atMost }] of expected) {
    const count = counts.get(name) ?? 0;
    if (count < atLeast) lost.push(name);
    if (count > 1) doubled.push(name);
    else if (count > atMost) unexpected.push(name);
  }
  return { lost, doubled, unexpected };
}
