/**
 * An ordered map with ranks and O(1) forks: a counted B+tree whose nodes are shared between forks and copied on the
 * first write. A node belongs to the tree whose owner token it has; every other tree copies it before writing.
 */

/** Maximum number of items per node; a million keys need four levels. */
const capacity = 64;
/** A node with fewer items is merged with a neighbor if both fit into one node. */
const sparse = 16;

type Key = string | number;

interface Leaf<K, V> {
  readonly kind: 'leaf';
  readonly owner: object;
  readonly keys: K[];
  readonly values: V[];
}

interface Branch<K, V> {
  readonly kind: 'branch';
  readonly owner: object;
  /** The smallest key below each child; the first may be larger than a key inserted later. */
  readonly keys: K[];
  readonly children: Node<K, V>[];
  /** The number of values below each child. */
  readonly counts: number[];
}

type Node<K, V> = Leaf<K, V> | Branch<K, V>;

/** The index of the first key that is not below `key`. */
type Search<K> = (keys: readonly K[], key: K) => number;

// Two separate functions, so that each compares only one type: a shared one is three times slower.
const searchStrings: Search<string> = (keys, key) => {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
};

const searchNumbers: Search<number> = (keys, key) => {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
};

const total = (counts: readonly number[]): number => {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) sum += counts[i]!;
  return sum;
};

export class Tree<K extends Key, V> {
  #root: Node<K, V>;
  #owner: object;
  #size: number;
  readonly #search: Search<K>;

  private constructor(root: Node<K, V>, owner: object, size: number, search: Search<K>) {
    this.#root = root;
    this.#owner = owner;
    this.#size = size;
    this.#search = search;
  }

  static ofStrings<V>(): Tree<string, V> {
    const owner = {};
    return new Tree<string, V>({ kind: 'leaf', owner, keys: [], values: [] }, owner, 0, searchStrings);
  }

  static ofNumbers<V>(): Tree<number, V> {
    const owner = {};
    return new Tree<number, V>({ kind: 'leaf', owner, keys: [], values: [] }, owner, 0, searchNumbers);
  }

  get size(): number {
    return this.#size;
  }

  /** An independent tree with the same content, in O(1). Both trees copy nodes before writing from now on. */
  fork(): Tree<K, V> {
    this.#owner = {};
    return new Tree(this.#root, {}, this.#size, this.#search);
  }

  get(key: K): V | undefined {
    let node = this.#root;
    while (node.kind === 'branch') node = node.children[this.#childAt(node, key)]!;
    const index = this.#search(node.keys, key);
    return node.keys[index] === key ? node.values[index] : undefined;
  }

  /** How many keys are below `key`. */
  rank(key: K): number {
    let node = this.#root;
    let before = 0;
    while (node.kind === 'branch') {
      const index = this.#childAt(node, key);
      for (let i = 0; i < index; i++) before += node.counts[i]!;
      node = node.children[index]!;
    }
    return before + this.#search(node.keys, key);
  }

  /** Up to `count` values in descending order from rank `from`: newest first if keys are sequence numbers. */
  downFrom(from: number, count: number): V[] {
    const found: V[] = [];
    if (from >= 0 && from < this.#size && count > 0) collectDown(this.#root, from, count, found);
    return found;
  }

  /** All values, by ascending key. */
  *values(): Generator<V> {
    yield* listValues(this.#root);
  }

  /** Sets a value and returns the one it replaces. */
  set(key: K, value: V): V | undefined {
    const root = this.#own(this.#root);
    this.#root = root;
    const before = this.#insert(root, key, value);
    if (getSize(root) > capacity) {
      const right = this.#split(root, true);
      this.#root = {
        kind: 'branch',
        owner: this.#owner,
        keys: [root.keys[0]!, right.keys[0]!],
        children: [root, right],
        counts: [getCount(root), getCount(right)],
      };
    }
    if (before === undefined) this.#size++;
    return before;
  }

  /** Removes a key and returns its value; undefined if the key did not exist. */
  delete(key: K): V | undefined {
    if (this.get(key) === undefined) return undefined;
    const root = this.#own(this.#root);
    this.#root = root;
    const removed = this.#remove(root, key);
    this.#size--;
    if (root.kind === 'branch' && root.children.length === 1) this.#root = root.children[0]!;
    return removed;
  }

  #childAt(branch: Branch<K, V>, key: K): number {
    const index = this.#search(branch.keys, key);
    return branch.keys[index] === key ? index : index === 0 ? 0 : index - 1;
  }

  #own(node: Node<K, V>): Node<K, V> {
    if (node.owner === this.#owner) return node;
    const { keys } = node;
    return node.kind === 'leaf'
      ? { kind: 'leaf', owner: this.#owner, keys: keys.slice(), values: node.values.slice() }
      : {
          kind: 'branch',
          owner: this.#owner,
          keys: keys.slice(),
          children: node.children.slice(),
          counts: node.counts.slice(),
        };
  }

  #insert(node: Node<K, V>, key: K, value: V): V | undefined {
    if (node.kind === 'leaf') {
      const index = this.#search(node.keys, key);
      if (node.keys[index] === key) {
        const before = node.values[index];
        node.values[index] = value;
        return before;
      }
      if (index === node.keys.length) {
        node.keys.push(key);
        node.values.push(value);
      } else {
        node.keys.splice(index, 0, key);
        node.values.splice(index, 0, value);
      }
      return undefined;
    }
    const index = this.#childAt(node, key);
    const child = this.#own(node.children[index]!);
    node.children[index] = child;
    const before = this.#insert(child, key, value);
    node.keys[index] = child.keys[0]!;
    if (before === undefined) node.counts[index]!++;
    if (getSize(child) > capacity) {
      const right = this.#split(child, index === node.children.length - 1);
      node.counts[index] = getCount(child);
      node.keys.splice(index + 1, 0, right.keys[0]!);
      node.children.splice(index + 1, 0, right);
      node.counts.splice(index + 1, 0, getCount(right));
    }
    return before;
  }

  /** Moves the upper part of an overfull node into a new one; at the far right only the last item, so that
   * keys that only ever grow leave full nodes behind. */
  #split(node: Node<K, V>, rightmost: boolean): Node<K, V> {
    const at = rightmost ? node.keys.length - 1 : node.keys.length >>> 1;
    const keys = node.keys.splice(at);
    return node.kind === 'leaf'
      ? { kind: 'leaf', owner: this.#owner, keys, values: node.values.splice(at) }
      : {
          kind: 'branch',
          owner: this.#owner,
          keys,
          children: node.children.splice(at),
          counts: node.counts.splice(at),
        };
  }

  #remove(node: Node<K, V>, key: K): V | undefined {
    if (node.kind === 'leaf') {
      const index = this.#search(node.keys, key);
      node.keys.splice(index, 1);
      return node.values.splice(index, 1)[0];
    }
    const index = this.#childAt(node, key);
    const child = this.#own(node.children[index]!);
    node.children[index] = child;
    const removed = this.#remove(child, key);
    node.counts[index]!--;
    if (getSize(child) === 0) drop(node, index);
    else {
      node.keys[index] = child.keys[0]!;
      if (getSize(child) < sparse) this.#join(node, index > 0 ? index - 1 : index);
    }
    return removed;
  }

  /** Merges the child at `index` with its right neighbor if both fit into one node. */
  #join(node: Branch<K, V>, index: number): void {
    const right = node.children[index + 1];
    if (right === undefined || getSize(node.children[index]!) + getSize(right) > capacity) return;
    const left = this.#own(node.children[index]!);
    node.children[index] = left;
    left.keys.push(...right.keys);
    if (left.kind === 'leaf' && right.kind === 'leaf') left.values.push(...right.values);
    else if (left.kind === 'branch' && right.kind === 'branch') {
      left.children.push(...right.children);
      left.counts.push(...right.counts);
    }
    node.counts[index]! += node.counts[index + 1]!;
    drop(node, index + 1);
  }
}

const getSize = <K, V>(node: Node<K, V>): number => node.keys.length;

const getCount = <K, V>(node: Node<K, V>): number =>
  node.kind === 'leaf' ? node.values.length : total(node.counts);

function drop<K, V>(node: Branch<K, V>, index: number): void {
  node.keys.splice(index, 1);
  node.children.splice(index, 1);
  node.counts.splice(index, 1);
}

function collectDown<K, V>(node: Node<K, V>, from: number, count: number, found: V[]): void {
  if (node.kind === 'leaf') {
    for (let i = from; i >= 0 && found.length < count; i--) found.push(node.values[i]!);
    return;
  }
  let index = 0;
  let rest = from;
  while (rest >= node.counts[index]!) rest -= node.counts[index++]!;
  collectDown(node.children[index]!, rest, count, found);
  while (found.length < count && --index >= 0) {
    collectDown(node.children[index]!, node.counts[index]! - 1, count, found);
  }
}

function* listValues<K, V>(node: Node<K, V>): Generator<V> {
  if (node.kind === 'leaf') yield* node.values;
  else for (const child of node.children) yield* listValues(child);
}
