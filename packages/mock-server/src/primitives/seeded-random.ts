/**
 * The only source of randomness of a world. Each number is a function of the seed and of how many numbers were drawn
 * before, so saving that count keeps a world reproducible across restarts.
 */
export class SeededRandom {
  readonly seed: number;
  #drawn: number;

  constructor(seed: number, drawn = 0) {
    this.seed = seed;
    this.#drawn = drawn;
  }

  /** Number of values drawn so far. */
  get drawn(): number {
    return this.#drawn;
  }

  fork(): SeededRandom {
    return new SeededRandom(this.seed, this.#drawn);
  }

  /** An integer from 0 to 2^32 - 1. */
  nextUint32(): number {
    const n = this.#drawn++;
    return mix(mix(this.seed ^ mix(n >>> 0)) ^ Math.floor(n / 0x1_0000_0000));
  }

  /** An integer from 0 to `bound` - 1. */
  nextInt(bound: number): number {
    return Math.floor((this.nextUint32() / 0x1_0000_0000) * bound);
  }

  /** A UUID of version 4. */
  uuid(): string {
    const a = this.nextUint32();
    const b = this.nextUint32();
    const c = this.nextUint32();
    const d = this.nextUint32();
    return `${pair(a >>> 16)}${pair(a)}-${pair(b >>> 16)}-${pair(0x4000 | (b & 0xfff))}-${pair(
      0x8000 | ((c >>> 16) & 0x3fff),
    )}-${pair(c)}${pair(d >>> 16)}${pair(d)}`;
  }
}

/** Each byte as two hexadecimal digits. */
const hex: readonly string[] = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));

/** The lower 16 bits as four hexadecimal digits. */
const pair = (bits: number): string => hex[(bits >>> 8) & 0xff]! + hex[bits & 0xff]!;

/** Mixes 32 bits so that every input bit affects every output bit. */
function mix(value: number): number {
  let x = (value + 0x9e37_79b9) | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0_aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a_2d97);
  return (x ^ (x >>> 15)) >>> 0;
}
