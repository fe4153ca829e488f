import * as fs from 'node:fs';
import { type AtomicDirectory, withFileLock } from '@orgchat/atomic-files';
import { isSettled } from '../entries.ts';
import type { EntryLocator } from './entry-locator.ts';
import { getHoldState } from './holds.ts';
import { entryName, iterateNames, lockName, temporaryName, toDay } from './names.ts';
import type { SettledDays } from './settled-days.ts';
import { runInBackground, stepsPerSlice } from './slices.ts';
import type { StoredEntry } from './stored-entry.ts';

/** How long settled entries are kept, in milliseconds: a week after the end of the day they were last used. */
const keepSettledMs = 7 * 24 * 60 * 60 * 1000;

/** Cleans a folder in the background, at first and then from time to time. */
export interface Cleaner {
  beforeList(): void;
  afterSettlement(): void;
}

type CleaningSteps = Generator<Promise<void> | undefined, void>;

/**
 * Cleans the folder of a journal, one file per step. It removes settled entries that were not used for a week, one
 * day at a time, and files that dead processes left. It moves settled entries of earlier versions to the folder of
 * their day. Files that cannot be removed stay.
 */
function* cleaningSteps(files: AtomicDirectory, days: SettledDays, locator: EntryLocator): CleaningSteps {
  const horizon = Date.now() - keepSettledMs;

  /**
   * Removes the entries of a day that ended a week ago. Files are removed asynchronously: one removal may take long
   * if the disk is busy, and removing a folder that had hundreds of thousands of files always does.
   */
  function* removeDay(day: string): CleaningSteps {
    const folder = days.toFolder(day);
    const batch: string[] = [];
    for (const name of iterateNames(files.at(folder))) {
      if (entryName.test(name) || temporaryName.test(name)) batch.push(files.at(`${folder}/${name}`));
      yield batch.length < stepsPerSlice ? undefined : removeAll(batch.splice(0));
    }
    yield removeAll(batch);
    // It stays if it has other files.
    yield fs.promises.rmdir(files.at(folder)).catch(() => undefined);
  }

  /** Removes or moves a settled entry that is among the open ones. */
  function archive(name: string, known: StoredEntry): void {
    if (getHoldState(files.at(name), known).isHeld) return;
    const lastAskedFor = Math.max(files.changedAt(name), Date.parse(known.entry.updatedAt));
    withFileLock(files, name, () => {
      // Another process may have claimed it in the meantime.
      if (JSON.stringify(locator.readEntry(name)) !== JSON.stringify(known)) return undefined;
      if (lastAskedFor < horizon) files.remove(name);
      else files.move(name, days.toFile(name, lastAskedFor));
      return true;
    });
  }

  function isAbandoned(name: string): boolean {
    const [, locked] = lockName.exec(name) ?? [];
    // An abandoned lock is still needed while its entry exists.
    if (locked !== undefined) return files.isOld(name) && !locator.hasFile(locked);
    return temporaryName.test(name) && files.isAbandonedTemporary(name);
  }

  function inspectFile(name: string): void {
    if (isAbandoned(name)) return void files.remove(name);
    const known = entryName.test(name) ? locator.readEntry(name) : undefined;
    if (known === undefined) return;
    if (isSettled(known.entry)) archive(name, known);
    else locator.removeIfSettled(name, known);
  }

  const oldest = toDay(horizon);
  for (const day of days.list().filter((day) => day < oldest)) yield* removeDay(day);
  for (const name of iterateNames(files.at(''))) {
    ignoreFailure(() => inspectFile(name));
    yield undefined;
  }
}

/** Removes files one after the other, so that other work finds a free thread. Files that cannot be removed stay. */
async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await fs.promises.unlink(path).catch(() => undefined);
}

function ignoreFailure(work: () => void): void {
  try {
    work();
  } catch {
    // It is another user's, or the folder cannot be written.
  }
}

/** Decides when a folder is cleaned: at first, and then after 1,000 settlements or an hour. */
export function createCleaner(files: AtomicDirectory, days: SettledDays, locator: EntryLocator): Cleaner {
  const everySettlements = 1_000;
  const everyMs = 60 * 60 * 1000;
  let settlements = 0;
  let startedAt = -Infinity;
  let isRunning = false;

  function start(): void {
    if (isRunning) return;
    [settlements, startedAt, isRunning] = [0, performance.now(), true];
    runInBackground(cleaningSteps(files, days, locator), () => {
      isRunning = false;
    });
  }
  const isTime = (): boolean => performance.now() - startedAt > everyMs;

  return {
    beforeList: start,
    afterSettlement(): void {
      settlements++;
      if (settlements >= everySettlements || isTime()) start();
    },
  };
}
