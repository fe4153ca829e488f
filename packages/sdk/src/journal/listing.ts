import * as fs from 'node:fs';
import type { EntryPlaces } from './entry-places.ts';
import { isSettled, type JournalEntry, type JournalProblem, type ListOptions } from './journal.ts';
import { claimName, draftName, entryName, namesIn, settledName } from './names.ts';
import type { SettledDays } from './settled-days.ts';
import type { WholeFiles } from './whole-files.ts';

interface Listed {
  /** By the name of the file. */
  readonly entries: Map<string, JournalEntry>;
  readonly problems: JournalProblem[];
}

interface Asked extends ListOptions {
  readonly dir: string;
  readonly target: string;
}

/** Collects the entries of a target and what cannot be used, one file per step. */
export function* listSteps(
  files: WholeFiles,
  days: SettledDays,
  places: EntryPlaces,
  { dir, target, open = false }: Asked,
  { entries, problems }: Listed,
): Generator<undefined, void> {
  if (process.platform !== 'win32' && (fs.statSync(dir).mode & 0o077) !== 0) {
    problems.push({
      where: dir,
      reason: 'permissions',
      message: 'other users can read this folder: chmod 700',
    });
  }
  const seen = new Set<string>();

  function look(name: string, place: string): void {
    const found = entryName.test(name) ? places.read(place) : unexpected(place);
    if (found === undefined) return;
    if (!('entry' in found)) return void problems.push(found);
    const entry = places.settledTwin(name, found)?.stored.entry ?? found.entry;
    if (entry.target === target && !(open && isSettled(entry))) entries.set(name, entry);
  }

  function* lookAtOpen(): Generator<undefined, void> {
    for (const name of namesIn(dir)) {
      if (name !== settledName && !claimName.test(name) && !draftName.test(name) && !seen.has(name)) {
        seen.add(name);
        look(name, name);
      }
      yield undefined;
    }
  }

  yield* lookAtOpen();
  if (open) return;
  for (const day of days.days()) {
    for (const name of namesIn(files.at(days.folderOf(day)))) {
      // Newest first: an older copy does not count.
      if (!seen.has(name)) look(name, `${days.folderOf(day)}/${name}`);
      seen.add(name);
      yield undefined;
    }
  }
  // Some may have been claimed in the meantime, and so have moved back.
  yield* lookAtOpen();
}

function unexpected(where: string): JournalProblem {
  return { where, reason: 'foreign', message: 'it is no entry of this journal' };
}
