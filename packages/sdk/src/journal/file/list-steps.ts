import * as fs from 'node:fs';
import type { AtomicDirectory } from '@orgchat/atomic-files';
import type { JournalEntry, JournalProblem } from '../journal.ts';
import type { EntryLocator } from './entry-locator.ts';
import { entryName, iterateNames, lockName, settledName, temporaryName } from './names.ts';
import type { SettledDays } from './settled-days.ts';

/** The length of the id of an operation, with which the name of its file begins. */
const idLength = 36;

interface ListQuery {
  readonly dir: string;
  readonly target: string;
  readonly open?: boolean | undefined;
}

/** What is found while a folder is read. */
interface Found {
  /** An entry, and the name of its file. It may be found more than once, also in an earlier state. */
  entry(name: string, entry: JournalEntry): void;
  /** A file that cannot be used. It may be found more than once. */
  problem(problem: JournalProblem): void;
}

/** Reads all entries, or only the open ones, and finds the files that cannot be used, one file per step. */
export function* listSteps(
  files: AtomicDirectory,
  days: SettledDays,
  locator: EntryLocator,
  { dir, target, open = false }: ListQuery,
  found: Found,
): Generator<undefined, void> {
  if (process.platform !== 'win32' && (fs.statSync(dir).mode & 0o077) !== 0) {
    found.problem({
      location: dir,
      reason: 'permissions',
      message: 'other users can read this directory; run chmod 700 on it',
    });
  }

  /** Adds the operation to a problem, if its file is named after one of this target. */
  function withOperation(problem: JournalProblem, name: string): JournalProblem {
    const operationId = name.slice(0, idLength);
    return locator.toFileName({ operationId, target }) === name ? { ...problem, operationId } : problem;
  }

  function inspectFile(name: string, file: string): void {
    const read = entryName.test(name) ? locator.read(file) : createForeignFileProblem(file);
    if (read === undefined) return;
    if ('entry' in read) found.entry(name, locator.findSettledTwin(name, read)?.stored.entry ?? read.entry);
    else found.problem(withOperation(read, name));
  }

  function* inspectOpenEntries(): Generator<undefined, void> {
    for (const name of iterateNames(dir)) {
      if (name !== settledName && !lockName.test(name) && !temporaryName.test(name)) inspectFile(name, name);
      yield undefined;
    }
  }

  yield* inspectOpenEntries();
  if (open) return;
  for (const day of days.list()) {
    for (const name of iterateNames(files.at(days.toFolder(day)))) {
      inspectFile(name, `${days.toFolder(day)}/${name}`);
      yield undefined;
    }
  }
  // Entries that were claimed in the meantime have moved back.
  yield* inspectOpenEntries();
}

function createForeignFileProblem(location: string): JournalProblem {
  return { location, reason: 'foreign', message: 'the file does not belong to this journal' };
}
