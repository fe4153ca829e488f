import { Tree } from './tree.ts';

export interface Keyword {
  readonly keyword: string;
  readonly group: string | null;
  readonly addedAt: string;
}

/** The keywords of all sites of an organization, by site and keyword. */
export class Keywords {
  readonly #tree: Tree<string, Keyword>;

  private constructor(tree: Tree<string, Keyword>) {
    this.#tree = tree;
  }

  static empty(): Keywords {
    return new Keywords(Tree.ofStrings());
  }

  fork(): Keywords {
    return new Keywords(this.#tree.fork());
  }

  get size(): number {
    return this.#tree.size;
  }

  has(siteId: string, keyword: string): boolean {
    return this.#tree.get(start(siteId) + keyword) !== undefined;
  }

  add(siteId: string, keyword: Keyword): void {
    this.#tree.set(start(siteId) + keyword.keyword, keyword);
  }

  count(siteId: string): number {
    return this.#tree.rank(end(siteId)) - this.#tree.rank(start(siteId));
  }

  /** The keywords of a site in the order they were added; keywords of the same time are sorted by spelling. */
  list(siteId: string): Keyword[] {
    const last = this.#tree.rank(end(siteId)) - 1;
    const found = this.#tree.downFrom(last, this.count(siteId)).reverse();
    return found.sort((a, b) => (a.addedAt < b.addedAt ? -1 : a.addedAt > b.addedAt ? 1 : 0));
  }
}

// The length prefix ensures that the key of one site is never a prefix of another's.
const start = (siteId: string): string => `${siteId.length}:${siteId}\u0000`;
const end = (siteId: string): string => `${siteId.length}:${siteId}\u0001`;
