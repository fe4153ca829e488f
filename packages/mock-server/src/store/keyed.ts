/** What a key was set to last: null where it was deleted. */
type Layer<V> = Map<string, V | null>;

/**
 * A map without an order that is forked in O(1). What a fork began with lies in layers that nobody writes any more
 * and all forks share; what it wrote since lies in a map of its own on top. Where nothing asks for an order, this
 * takes a fraction of what a tree does: keys are found by their hash, not by a comparison on each level.
 */
export class Keyed<V extends object> {
  /** Oldest first. */
  #layers: readonly Layer<V>[];
  #own: Layer<V> | undefined;

  constructor(layers: readonly Layer<V>[] = []) {
    this.#layers = layers;
  }

  /** A map of its own with the same content. Both sides write on top of what they share from now on. */
  fork(): Keyed<V> {
    if (this.#own !== undefined) {
      this.#layers = stack(this.#layers, this.#own);
      this.#own = undefined;
    }
    return new Keyed(this.#layers);
  }

  get(key: string): V | undefined {
    const own = this.#own?.get(key);
    return own === undefined ? this.#below(key) : (own ?? undefined);
  }

  set(key: string, value: V): void {
    this.#own ??= new Map();
    this.#own.set(key, value);
  }

  delete(key: string): void {
    if (this.#below(key) === undefined) this.#own?.delete(key);
    else {
      this.#own ??= new Map();
      this.#own.set(key, null);
    }
  }

  /** All values, in no order that means anything. */
  *values(): Generator<V> {
    const top = this.#own === undefined ? this.#layers : [...this.#layers, this.#own];
    for (const value of (top.length === 1 ? top[0]! : top.reduce(merged, new Map())).values()) {
      if (value !== null) yield value;
    }
  }

  #below(key: string): V | undefined {
    const layers = this.#layers;
    for (let i = layers.length - 1; i >= 0; i--) {
      const value = layers[i]!.get(key);
      if (value !== undefined) return value ?? undefined;
    }
    return undefined;
  }
}

/**
 * Lays a layer that nobody shares yet upon others. Where the one below is not much larger, it is taken up into it, so
 * that there are never more than a few and each write is copied only a few times.
 */
function stack<V>(layers: readonly Layer<V>[], top: Layer<V>): Layer<V>[] {
  const below = layers.slice();
  for (let last = below.at(-1); last !== undefined && last.size <= 2 * top.size; last = below.at(-1)) {
    below.pop();
    for (const [key, value] of last) if (!top.has(key)) top.set(key, value);
  }
  return [...below, top];
}

function merged<V>(into: Layer<V>, layer: Layer<V>): Layer<V> {
  for (const [key, value] of layer) into.set(key, value);
  return into;
}
