import * as fs from 'node:fs';
import { type AtomicDirectory, getErrorCode } from '@orgchat/atomic-files';
import { dayName, settledName, toDay } from './names.ts';

/** The folders of settled entries, one for each day. Names are relative to the folder of the journal. */
export interface SettledDays {
  /** Returns the file for an entry that is settled or used at a time; by default now. */
  placeOf(name: string, ms?: number): string;
  /** Returns the days with a folder, newest first. Cleaning keeps at most nine. */
  days(): string[];
  /** Returns the folder of a day. */
  folderOf(day: string): string;
  /** Returns the settled files of an entry, newest first. Costs one look-up per day, however many entries there are. */
  copiesOf(name: string): string[];
}

export function createSettledDays(files: AtomicDirectory): SettledDays {
  const folderOf = (day: string): string => `${settledName}/${day}`;

  function days(): string[] {
    try {
      const found = fs.readdirSync(files.at(settledName)).filter((name) => dayName.test(name));
      return found.sort().reverse();
    } catch (error) {
      // It does not exist yet, or is not a folder.
      if (getErrorCode(error) === 'ENOENT' || getErrorCode(error) === 'ENOTDIR') return [];
      throw error;
    }
  }

  return {
    placeOf: (name, ms = Date.now()) => `${folderOf(toDay(ms))}/${name}`,
    days,
    folderOf,
    copiesOf: (name) =>
      days()
        .map((day) => `${folderOf(day)}/${name}`)
        .filter((place) => fs.statSync(files.at(place), { throwIfNoEntry: false }) !== undefined),
  };
}
