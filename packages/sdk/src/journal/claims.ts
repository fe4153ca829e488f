import { randomUUID } from 'node:crypto';
import { isAlive, isThisProcess, type Owner, thisProcess } from './owner.ts';
import { digestOf, type WholeFiles } from './whole-files.ts';

/** A claim lasts for milliseconds; one this old, of which nothing else is known, was left by a process that died in it. */
const oldestClaimMs = 10_000;

/**
 * Does something with an entry that one process at a time may do; undefined where another is at it, or where `work`
 * says that the entry is not what it was. Meanwhile a claim stands beside the entry.
 *
 * A claim that was left behind is followed by one that is named after it and what is in it, and so on. It is not removed to
 * be made again: of two processes that do that, the later one would remove the claim of the first. All of them go once
 * the entry is another, which whoever found them with the entry as it was can tell.
 */
export function alone<T>(files: WholeFiles, name: string, work: () => T | undefined): T | undefined {
  const own = JSON.stringify({ ...thisProcess(), claim: randomUUID() });
  const left: string[] = [];
  let claim = `${name}.claim`;
  while (!files.create(claim, own)) {
    const text = leftBehind(files, claim);
    if (text === undefined) return undefined;
    left.push(claim);
    // By its name as well: two that were cut off hold the same.
    claim = `${name}.${digestOf(`${claim} ${text}`)}.claim`;
  }
  try {
    const done = work();
    if (done !== undefined) for (const old of left) files.drop(old);
    return done;
  } finally {
    files.drop(claim);
  }
}

/** What is in a claim whose process is dead or, where that cannot be known, took far too long. */
function leftBehind(files: WholeFiles, claim: string): string | undefined {
  try {
    const text = files.read(claim);
    const isOld = Date.now() - files.changedAt(claim) > oldestClaimMs;
    return text !== undefined && (holderIsAlive(text) ?? !isOld) === false ? text : undefined;
  } catch {
    // It went meanwhile: whoever had it was at work.
    return undefined;
  }
}

function holderIsAlive(text: string): boolean | undefined {
  try {
    const owner = JSON.parse(text) as Owner;
    // This process is alive; but it is not in the midst of another claim, unless in another thread.
    return isThisProcess(owner) ? undefined : isAlive(owner);
  } catch {
    // Cut off by a process that died where files are copied into their place.
    return undefined;
  }
}
