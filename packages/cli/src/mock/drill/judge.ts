import type { Allowance } from './drill-writes.ts';
import type { Item, Snapshot } from './snapshot.ts';
import { ItemComparer } from './varying-fields.ts';

export type Verdict = 'ok' | 'lost' | 'doubled';

/** How a run with a fault differs from the clean run. */
export interface Judgment {
  readonly verdict: Verdict;
  /** What is missing and what is there too often, in words. */
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  /** Why a run that failed is still that of a correct client. */
  readonly note?: string;
}

/** How the command ended. */
export interface RunEnd {
  /** The exit code, 128 plus the number of the signal that ended it, or null if it ran out of time. */
  readonly exit: number | null;
}

/** Judges runs by two clean runs, which show what differs from run to run anyway. */
export class Judge {
  readonly #comparer: ItemComparer;
  readonly #clean: Snapshot;

  constructor(clean: Snapshot, second: Snapshot) {
    const all = ({ records, writes }: Snapshot): Item[] => [...records, ...writes];
    this.#comparer = new ItemComparer(all(clean), all(second));
    this.#clean = clean;
  }

  /** Judges a run by what a correct client may do. */
  judge(run: Snapshot, { exit }: RunEnd, { report, resend }: Allowance): Judgment {
    const { lost, doubled } = this.compare(run);
    const resent = run.keywordRequests - this.#clean.keywordRequests;
    if (!resend && resent > 0)
      doubled.push('keyword write sent again although its outcome was unknown (clause 4.2.7)');
    if (exit !== 0 && exit !== null && report !== undefined)
      return { verdict: doubled.length > 0 ? 'doubled' : 'ok', lost: [], doubled, note: report };
    if (exit !== 0)
      lost.push(exit === null ? 'the command ran out of time' : `the command exited with ${exit}`);
    return { verdict: lost.length > 0 ? 'lost' : doubled.length > 0 ? 'doubled' : 'ok', lost, doubled };
  }

  /** Compares what runs left, not how they ended. */
  compare(run: Snapshot): { lost: string[]; doubled: string[] } {
    const writes = this.#count(this.#clean.writes, run.writes);
    const records = this.#count(this.#clean.records, run.records);
    const lost: string[] = [];
    const doubled: string[] = [];
    // The same write, applied more often. Other writes do not matter if the records are the same in the end.
    for (const count of writes) {
      if (count.clean > 0 && count.found > count.clean) doubled.push(describe(count, 'applied again'));
    }
    for (const kind of new Set(records.map(({ item }) => item.kind))) {
      const differing = records.filter(({ item, clean, found }) => item.kind === kind && clean !== found);
      const missing = differing.filter(({ clean, found }) => found < clean);
      const surplus = differing.filter(({ clean, found }) => found > clean);
      const balance = sum(surplus) - sum(missing);
      if (missing.length === 0) doubled.push(...surplus.map((count) => describe(count, 'too many')));
      else if (surplus.length === 0) lost.push(...missing.map((count) => describe(count, 'missing')));
      else if (balance > 0) doubled.push(`${kind}: ${balance} too many`);
      else if (balance < 0) lost.push(`${kind}: ${-balance} missing`);
      // As many records, but with different content: a write was applied too often, or one is missing.
      else if (run.writes.length > this.#clean.writes.length)
        doubled.push(...missing.map((count) => describe(count, 'with different content')));
      else lost.push(...missing.map((count) => describe(count, 'with different content')));
    }
    return { lost, doubled };
  }

  #count(clean: readonly Item[], run: readonly Item[]): Count[] {
    const counts = new Map<string, { item: Item; clean: number; found: number }>();
    for (const [items, name] of [
      [clean, 'clean'],
      [run, 'found'],
    ] as const) {
      for (const item of items) {
        const key = this.#comparer.toKey(item);
        const count = counts.get(key) ?? { item, clean: 0, found: 0 };
        count[name]++;
        counts.set(key, count);
      }
    }
    return [...counts.values()];
  }
}

interface Count {
  readonly item: Item;
  readonly clean: number;
  readonly found: number;
}

const sum = (counts: readonly Count[]): number =>
  counts.reduce((total, { clean, found }) => total + Math.abs(found - clean), 0);

const nameFields = ['name', 'data.name', 'title', 'data.title', 'keyword', 'displayName', 'path'];

function describe({ item: { kind, fields }, clean, found }: Count, what: string): string {
  const name = nameFields.map((field) => fields.get(field)).find((value) => value !== undefined);
  const subject = name === undefined ? kind : `${kind} "${name}"`;
  const number = Math.abs(found - clean);
  return number === 1 ? `${subject}: ${what}` : `${subject}: ${number} ${what}`;
}
