import { SeededRandom } from '../primitives/seeded-random.ts';

/** Random numbers per request: one decides whether the fault hits, one how long a delay takes. */
const numbersPerRequest = 2;
const range = 0x1_0000_0000;

/**
 * The randomness of one fault: each number is a function of the mock's random seed, of how many faults were armed before,
 * and of how many requests matched this fault. So the same seed and requests give the same hits, and the identifiers of
 * records do not depend on faults.
 */
export class FaultRandom {
  readonly #seed: number;

  constructor(randomSeed: number, faultNumber: number) {
    this.#seed = new SeededRandom(randomSeed, faultNumber).nextUint32();
  }

  /** Whether the fault hits the request with this number. */
  isHit(request: number, probability: number): boolean {
    return probability === 1 || this.#draw(request, 0) / range < probability;
  }

  /** The delay of the request with this number, in milliseconds: from `min` to `max`, both included. */
  getDelay(request: number, delayMs: number | { readonly min: number; readonly max: number }): number {
    if (typeof delayMs === 'number') return delayMs;
    const { min, max } = delayMs;
    return min + Math.floor((this.#draw(request, 1) / range) * (max - min + 1));
  }

  #draw(request: number, index: number): number {
    return new SeededRandom(this.#seed, request * numbersPerRequest + index).nextUint32();
  }
}
