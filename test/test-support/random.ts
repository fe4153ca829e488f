/** Creates a generator of numbers from 0 to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** Combines several numbers into one seed. */
export function combineSeeds(...parts: readonly number[]): number {
  let seed = 0;
  for (const part of parts) {
    seed = Math.imul(seed ^ part ^ Math.floor(part / 0x1_0000_0000), 0x85eb_ca6b) + 0x6d2b_79f5;
    seed ^= seed >>> 15;
  }
  return seed >>> 0;
}

/** Random choices, the same for the same seed. */
export class Random {
  readonly #chance: () => number;

  constructor(seed: number) {
    this.#chance = createRandom(seed);
  }

  /** An integer from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor(this.#chance() * bound);
  }

  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new Error('Nothing to choose from');
    return values[this.below(values.length)] as T;
  }

  /** True with a probability of `share` percent. */
  percent(share: number): boolean {
    return this.#chance() * 100 < share;
  }

  /** Random bytes. */
  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }

  uuid(): string {
    return this.bytes(16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }
}
