import * as fs from 'node:fs';
import { dayName, dayOf, settledName } from './names.ts';
import { codeOf, type WholeFiles } from './whole-files.ts';

/** The folders of settled entries, one for each day. Names are those below the journal's folder. */
export interface SettledDays {
  /** Where an entry that is settled or asked for now belongs. */
  placeOf(name: string, ms?: number): string;
  /** The days that there are, newest first. A week has at most nine: a tenth shows that nothing was cleaned. */
  days(): string[];
  /** The folder of a day. */
  folderOf(day: string): string;
  /** Where settled copies of an entry are, newest first. Costs one look per day, however many entries there are. */
  copiesOf(name: string): string[];
}

export function settledDays(files: WholeFiles): SettledDays {
  const folderOf = (day: string): string => `${settledName}/${day}`;

  function days(): string[] {
    try {
      const found = fs.readdirSync(files.at(settledName)).filter((name) => dayName.test(name));
      return found.sort().reverse();
    } catch (error) {
      // There is none yet, or something else has its name.
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
      throw error;
    }
  }

  return {
    placeOf: (name, ms = Date.now()) => `${folderOf(dayOf(ms))}/${name}`,
    days,
    folderOf,
    copiesOf: (name) =>
      days()
        .map((day) => `${folderOf(day)}/${name}`)
        .filter((place) => fs.statSync(files.at(place), { throwIfNoEntry: false }) !== undefined),
  };
}
