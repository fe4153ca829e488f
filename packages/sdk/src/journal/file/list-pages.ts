import type { AtomicDirectory } from '@orgchat/atomic-files';
import { compareEntries, isListed } from '../entries.ts';
import type { JournalEntry, JournalListing, JournalListOptions, JournalProblem } from '../journal.ts';
import type { EntryLocator } from './entry-locator.ts';
import { listSteps } from './list-steps.ts';
import type { SettledDays } from './settled-days.ts';
import { runInSlices } from './slices.ts';

/*
 * Files have no order, so all of them are read to find the first entries of a page. What is remembered of them is limited:
 * the positions of the next pages, so that these need not read all files again, and no entry.
 */

/** How many positions are remembered: about 10 MB. */
const windowSize = 50_000;
/** How long the next page may use them, in milliseconds. */
const windowMs = 60_000;
/** A folder may have any number of files that cannot be used. So many are reported. */
const maxProblems = 1_000;

/** The position of an entry in a list, and the name of its file. */
interface Position extends Pick<JournalEntry, 'createdAt' | 'operationId'> {
  readonly name: string;
}

/** The first positions that were found, in order. `isCut` if there are later ones. */
interface Positions {
  readonly first: readonly Position[];
  readonly isCut: boolean;
}

/** What is left for the next page. */
interface Rest {
  readonly query: string;
  readonly foundAt: number;
  readonly positions: readonly Position[];
}

/** Creates the method `list` of a file journal. Its problems are at most 1,000. */
export function createListing(
  files: AtomicDirectory,
  days: SettledDays,
  locator: EntryLocator,
  dir: string,
): (target: string, options: JournalListOptions) => Promise<JournalListing> {
  let rest: Rest | undefined;

  /** Reads all files, and returns the first positions of a list. */
  async function findPositions(
    target: string,
    options: JournalListOptions,
    count: number,
    problems: Map<string, JournalProblem>,
  ): Promise<Positions> {
    const found = createFirst(count);
    const steps = listSteps(
      files,
      days,
      locator,
      { dir, target, open: options.open },
      {
        entry(name, entry) {
          if (entry.target !== target || !isListed(entry, options)) return;
          found.add({ createdAt: entry.createdAt, operationId: entry.operationId, name });
        },
        problem(problem) {
          if (problems.size < maxProblems) problems.set(problem.location, problem);
        },
      },
    );
    await runInSlices(steps);
    return found.end();
  }

  /** Reads the entries at positions, as they are by now, until there are `limit`. Returns the number of positions read. */
  async function readEntries(
    positions: readonly Position[],
    options: JournalListOptions,
    entries: JournalEntry[],
  ): Promise<number> {
    const { limit = Infinity } = options;
    let count = 0;
    function* steps(): Generator<undefined, void> {
      for (const { name, createdAt } of positions) {
        if (entries.length >= limit) return;
        count++;
        const entry = locator.find(name)?.stored.entry;
        const isListedHere = entry?.createdAt === createdAt && isListed(entry, options);
        // Several files of one entry may have been found.
        if (isListedHere && entries.at(-1)?.operationId !== entry.operationId) entries.push(entry);
        yield undefined;
      }
    }
    await runInSlices(steps());
    return count;
  }

  /** Takes the positions that the page before left. */
  function takeRest(query: string): readonly Position[] | undefined {
    const taken = rest;
    rest = undefined;
    if (taken?.query !== query || performance.now() - taken.foundAt > windowMs) return undefined;
    return taken.positions;
  }

  return async (target, options) => {
    const { limit = Infinity } = options;
    const problems = new Map<string, JournalProblem>();
    const entries: JournalEntry[] = [];
    const foundBefore = takeRest(toQuery(target, options));
    let positions: Positions = { first: foundBefore ?? [], isCut: true };
    let foundAt = performance.now();
    for (let { after } = options; ; ) {
      const read = await readEntries(positions.first, options, entries);
      if (entries.length >= limit) {
        const last = entries.at(-1);
        const query = toQuery(target, { ...options, after: last });
        rest = { query, foundAt, positions: positions.first.slice(read) };
        break;
      }
      // Only what was just read says that there are no more.
      if (!positions.isCut) break;
      after = positions.first.at(-1) ?? after;
      foundAt = performance.now();
      positions = await findPositions(target, { ...options, after }, Math.max(limit, windowSize), problems);
    }
    return { entries, problems: [...problems.values()].sort(byLocation) };
  };
}

/** Says what a page is asked for, and after which entry. */
const toQuery = (target: string, { open = false, state, after }: JournalListOptions): string =>
  JSON.stringify([target, open, state, after?.createdAt, after?.operationId]);

const byLocation = (a: JournalProblem, b: JournalProblem): number => (a.location < b.location ? -1 : 1);

/** Collects the first positions of any number, in memory for at most twice as many. */
function createFirst(count: number) {
  let found: Position[] = [];
  let last: Position | undefined;
  function cut(): void {
    found.sort(compareEntries);
    if (found.length <= count) return;
    found = found.slice(0, count);
    last = found.at(-1);
  }
  return {
    add(position: Position): void {
      if (last !== undefined && compareEntries(position, last) > 0) return;
      found.push(position);
      if (found.length >= 2 * count) cut();
    },
    end(): Positions {
      cut();
      return { first: found, isCut: last !== undefined };
    },
  };
}
