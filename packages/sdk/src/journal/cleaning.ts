import * as fs from 'node:fs';
import { alone } from './claims.ts';
import type { EntryPlaces } from './entry-places.ts';
import { holdStateOf } from './holds.ts';
import { isSettled } from './journal.ts';
import { claimName, dayOf, draftName, entryName, namesIn } from './names.ts';
import type { SettledDays } from './settled-days.ts';
import { stepsPerSlice } from './slices.ts';
import type { Stored } from './stored.ts';
import type { WholeFiles } from './whole-files.ts';

/** How long settled entries are kept, in milliseconds: a week after the end of the day they were last asked for. */
const keepSettledMs = 7 * 24 * 60 * 60 * 1000;

type CleaningSteps = Generator<Promise<void> | undefined, void>;

/**
 * Cleans the folder of a journal, one file per step. Removes settled entries that nobody asked for in a week, a day at a
 * time; removes what dead processes left; and moves settled entries of earlier versions to the folder of their day.
 * What cannot be removed stays.
 */
export function* cleaningSteps(files: WholeFiles, days: SettledDays, places: EntryPlaces): CleaningSteps {
  const horizon = Date.now() - keepSettledMs;

  /**
   * A day goes when its last moment was a week ago. This is done off this thread: to remove one file may take long when
   * the disk is busy, and to remove a folder that had hundreds of thousands of files always does.
   */
  function* removeDay(day: string): CleaningSteps {
    const folder = days.folderOf(day);
    const batch: string[] = [];
    for (const name of namesIn(files.at(folder))) {
      if (entryName.test(name) || draftName.test(name)) batch.push(files.at(`${folder}/${name}`));
      yield batch.length < stepsPerSlice ? undefined : removeAll(batch.splice(0));
    }
    yield removeAll(batch);
    // It stays if others keep something in it.
    yield fs.promises.rmdir(files.at(folder)).catch(() => undefined);
  }

  /** Removes or moves what is settled and lies among the open entries. */
  function putAway(name: string, known: Stored): void {
    if (holdStateOf(files.at(name), known).isHeld) return;
    const lastAskedFor = Math.max(files.changedAt(name), Date.parse(known.entry.updatedAt));
    alone(files, name, () => {
      // Somebody may have claimed it in the meantime.
      if (JSON.stringify(places.storedIn(name)) !== JSON.stringify(known)) return undefined;
      if (lastAskedFor < horizon) files.drop(name);
      else files.move(name, days.placeOf(name, lastAskedFor));
      return true;
    });
  }

  function isLeft(name: string): boolean {
    const [, claimed] = claimName.exec(name) ?? [];
    // Beside its entry a claim that was left behind has its use.
    if (claimed !== undefined) return files.isOld(name) && !places.isThere(claimed);
    return draftName.test(name) && files.isLeftDraft(name);
  }

  function look(name: string): void {
    if (isLeft(name)) return void files.drop(name);
    const known = entryName.test(name) ? places.storedIn(name) : undefined;
    if (known === undefined) return;
    if (isSettled(known.entry)) putAway(name, known);
    else places.dropIfSettled(name, known);
  }

  const oldest = dayOf(horizon);
  for (const day of days.days().filter((day) => day < oldest)) yield* removeDay(day);
  for (const name of namesIn(files.at(''))) {
    attempt(() => look(name));
    yield undefined;
  }
}

/** One after the other, so that other work finds a free thread. What cannot be removed stays. */
async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await fs.promises.unlink(path).catch(() => undefined);
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // It is another user's, or the folder cannot be written.
  }
}
