import * as fs from 'node:fs';
import { type AtomicDirectory, getErrorCode } from '@orgchat/atomic-files';
import { dayName, settledName, toDay } from './names.ts';

/** The folders of settled entries, one for each day. Names are relative to the folder of the journal. */
export interface SettledDays {
  /** Returns the file for an entry that is settled or used at a time; by default now. */
  toFile(name: string, ms?: number): string;
  /** Lists the days with a folder, newest first. Cleaning keeps at most nine. */
  list(): string[];
  /** Returns the folder of a day. */
  toFolder(day: string): string;
  /** Lists the settled files of an entry, newest first. Costs one look-up per day, however many entries there are. */
  listCopies(name: string): string[];
}

export function createSettledDays(files: AtomicDirectory): SettledDays {
  const toFolder = (day: string): string => `${settledName}/${day}`;

  function list(): string[] {
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
    toFile: (name, ms = Date.now()) => `${toFolder(toDay(ms))}/${name}`,
    list,
    toFolder,
    listCopies: (name) =>
      list()
        .map((day) => `${toFolder(day)}/${name}`)
        .filter((file) => fs.statSync(files.at(file), { throwIfNoEntry: false }) !== undefined),
  };
}
