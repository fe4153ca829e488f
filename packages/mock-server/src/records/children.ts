import type { Entry } from './entry.ts';
import { Tree } from './tree.ts';

/** The records of each parent, newest first: messages of a friend, clicks on a link. */
export class Children {
  readonly #tree: Tree<string, Entry>;
  #next: number;

  private constructor(tree: Tree<string, Entry>, next: number) {
    this.#tree = tree;
    this.#next = next;
  }

  static empty(): Children {
    return new Children(Tree.ofStrings(), 1);
  }

  fork(): Children {
    return new Children(this.#tree.fork(), this.#next);
  }

  get nextSequence(): number {
    return this.#next;
  }

  put(parent: string, entry: Entry): void {
    this.#tree.set(toSortKey(parent, entry.sequence), entry);
    if (entry.sequence >= this.#next) this.#next = entry.sequence + 1;
  }

  /** How many children a parent has. */
  count(parent: string): number {
    return this.#tree.rank(`${parent}~`) - this.#tree.rank(`${parent} `);
  }

  /** The newest children of a parent. */
  newest(parent: string, limit: number): readonly Entry[] {
    return this.#tree.downFrom(this.#tree.rank(`${parent}~`) - 1, Math.min(limit, this.count(parent)));
  }

  values(): Iterable<Entry> {
    return this.#tree.values();
  }
}

/** Parents consist of digits, letters, `-` and `/`: a space sorts before and `~` after all of these. */
const toSortKey = (parent: string, sequence: number): string =>
  `${parent} ${sequence.toString(36).padStart(9, '0')}`;
