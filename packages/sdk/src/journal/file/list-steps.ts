import * as fs from 'node:fs';
import type { AtomicDirectory } from '@orgchat/atomic-files';
import { isSettled } from '../entries.ts';
import type { JournalEntry, JournalListOptions, JournalProblem } from '../journal.ts';
import type { EntryLocator } from './entry-locator.ts';
import { entryName, iterateNames, lockName, settledName, temporaryName } from './names.ts';
import type { SettledDays } from './settled-days.ts';

/** The length of the id of an operation, with which the name of its file begins. */
const idLength = 36;

interface ListResult {
  /** By the name of the file. */
  readonly entries: Map<string, JournalEntry>;
  readonly problems: JournalProblem[];
}

interface ListQuery extends JournalListOptions {
  readonly dir: string;
  readonly target: string;
}

/** Collects the entries of a target and the files that cannot be used, one file per step. */
export function* listSteps(
  files: AtomicDirectory,
  days: SettledDays,
  locator: EntryLocator,
  { dir, target, open = false }: ListQuery,
  { entries, problems }: ListResult,
): Generator<undefined, void> {
  if (process.platform !== 'win32' && (fs.statSync(dir).mode & 0o077) !== 0) {
    problems.push({
      location: dir,
      reason: 'permissions',
      message: 'other users can read this directory; run chmod 700 on it',
    });
  }
  const seen = new Set<string>();

  function inspectFile(name: string, file: string): void {
    const found = entryName.test(name) ? locator.read(file) : createForeignFileProblem(file);
    if (found === undefined) return;
    if (!('entry' in found)) {
      const operationId = name.slice(0, idLength);
      const isOurs = locator.toFileName({ operationId, target }) === name;
      return void problems.push(isOurs ? { ...found, operationId } : found);
    }
    const entry = locator.findSettledTwin(name, found)?.stored.entry ?? found.entry;
    if (entry.target === target && !(open && isSettled(entry))) entries.set(name, entry);
  }

  function* inspectOpenEntries(): Generator<undefined, void> {
    for (const name of iterateNames(dir)) {
      if (name !== settledName && !lockName.test(name) && !temporaryName.test(name) && !seen.has(name)) {
        seen.add(name);
        inspectFile(name, name);
      }
      yield undefined;
    }
  }

  yield* inspectOpenEntries();
  if (open) return;
  for (const day of days.list()) {
    for (const name of iterateNames(files.at(days.toFolder(day)))) {
      // The newest file comes first; older copies do not count.
      if (!seen.has(name)) inspectFile(name, `${days.toFolder(day)}/${name}`);
      seen.add(name);
      yield undefined;
    }
  }
  // Entries that were claimed in the meantime have moved back.
  yield* inspectOpenEntries();
}

function createForeignFileProblem(location: string): JournalProblem {
  return { location, reason: 'foreign', message: 'the file does not belong to this journal' };
}
