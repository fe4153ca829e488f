import * as fs from 'node:fs';
import { alone } from './claims.ts';
import { isSettled, type JournalEntry } from './journal.ts';
import { claimName, draftName, entryName } from './names.ts';
import type { WholeFiles } from './whole-files.ts';

/** How long settled entries are kept: a week. */
const keepSettledMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Removes entries that were settled and not asked for since for a week, and what dead processes left. What cannot be
 * removed stays.
 */
export function clean(
  files: WholeFiles,
  names: readonly string[],
  read: (name: string) => JournalEntry | undefined,
): void {
  const horizon = Date.now() - keepSettledMs;

  function wasSettledBefore(name: string): boolean {
    if (!(files.changedAt(name) < horizon)) return false;
    const entry = read(name);
    return entry !== undefined && isSettled(entry) && Date.parse(entry.updatedAt) < horizon;
  }

  function removeSettled(name: string): void {
    alone(files, name, () => {
      // Somebody may have begun it anew meanwhile.
      if (!wasSettledBefore(name)) return undefined;
      fs.unlinkSync(files.at(name));
      return true;
    });
  }

  function isLeft(name: string): boolean {
    const [, claimed] = claimName.exec(name) ?? [];
    // Beside its entry a claim that was left behind has its use.
    if (claimed !== undefined) return !names.includes(claimed) && files.isOld(name);
    return draftName.test(name) && files.isLeftDraft(name);
  }

  for (const name of names) {
    try {
      if (isLeft(name)) files.drop(name);
      else if (entryName.test(name) && wasSettledBefore(name)) removeSettled(name);
    } catch {
      // It is another user's, or the folder cannot be written.
    }
  }
}
