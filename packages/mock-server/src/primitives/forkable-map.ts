/** The last value of each key; null if the key was deleted. */
type Layer<V> = Map<string, V | null>;

/**
 * An unordered map with O(1) forks. Forks share read-only layers; each fork writes to its own map on top of them. Without
 * an order, this is several times faster than a tree: a key is found by its hash, not by a comparison on each level.
 */
export class ForkableMap<V extends object | string> {
  /** Oldest first. */
  #layers: readonly Layer<V>[];
  #own: Layer<V> | undefined;

  constructor(layers: readonly Layer<V>[] = []) {
    this.#layers = layers;
  }

  /** An independent map with the same content. Both maps write on top of the shared layers from now on. */
  fork(): ForkableMap<V> {
    if (this.#own !== undefined) {
      this.#layers = pushLayer(this.#layers, this.#own);
      this.#own = undefined;
    }
    return new ForkableMap(this.#layers);
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

  /** All values, in no particular order. */
  *values(): Generator<V> {
    const top = this.#own === undefined ? this.#layers : [...this.#layers, this.#own];
    for (const value of (top.length === 1 ? top[0]! : top.reduce(mergeLayer, new Map())).values()) {
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
 * Puts an unshared layer on top of others. Merges it with the layer below if that is not much larger, so that there are
 * only a few layers and each write is copied only a few times.
 */
function pushLayer<V>(layers: readonly Layer<V>[], top: Layer<V>): Layer<V>[] {
  const below = layers.slice();
  for (let last = below.at(-1); last !== undefined && last.size <= 2 * top.size; last = below.at(-1)) {
    below.pop();
    for (const [key, value] of last) if (!top.has(key)) top.set(key, value);
  }
  return [...below, top];
}

function mergeLayer<V>(into: Layer<V>, layer: Layer<V>): Layer<V> {
  for (const [key, value] of layer) into.set(key, value);
  return into;
}
