/*
 * SHA-1 and SHA-256 (FIPS 180-4) of texts, synchronously: `crypto.subtle` answers outside of the clock that a test
 * fakes. The ids and targets they make are names, not secrets. A library for this is three times as large; the tests
 * hold this module to one.
 */

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** The padded message as words, most significant byte first; blocks of sixteen. */
function toWords(text: string): Uint32Array {
  const bytes = new TextEncoder().encode(`${text}\0`);
  const last = bytes.length - 1;
  bytes[last] = 0x80;
  const words = new Uint32Array(((last + 8) >> 6) * 16 + 16);
  for (let i = 0; i <= last; i++) words[i >> 2]! |= bytes[i]! << (24 - (i % 4) * 8);
  words[words.length - 1] = last * 8;
  return words;
}

/** Runs the rounds of each block, and adds what they make of the state to the state. A step changes it in place. */
function digest(
  text: string,
  initial: readonly number[],
  rounds: number,
  schedule: (words: Int32Array, i: number) => number,
  step: (state: Int32Array, word: number, i: number) => void,
): string {
  const message = toWords(text);
  const words = new Int32Array(rounds);
  const hash = new Int32Array(initial);
  for (let start = 0; start < message.length; start += 16) {
    words.set(message.subarray(start, start + 16));
    for (let i = 16; i < rounds; i++) words[i] = schedule(words, i);
    const state = hash.slice();
    for (let i = 0; i < rounds; i++) step(state, words[i]!, i);
    for (const [i, word] of state.entries()) hash[i]! += word;
  }
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

const sha1Initial = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
const sha1Constants = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];

/** The SHA-1 of a text in UTF-8, in hexadecimal. */
export function sha1(text: string): string {
  return digest(
    text,
    sha1Initial,
    80,
    (w, i) => rotate(w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!, 1),
    (state, word, i) => {
      const [b, c, d] = [state[1]!, state[2]!, state[3]!];
      const phase = Math.floor(i / 20);
      const both = (b & c) | (d & (phase === 0 ? ~b : b | c));
      const choice = phase % 2 === 1 ? b ^ c ^ d : both;
      const first = rotate(state[0]!, 5) + choice + state[4]! + sha1Constants[phase]! + word;
      state.copyWithin(1, 0);
      state[0] = first;
      state[2] = rotate(b, 30);
    },
  );
}

/** The first bits of the fractions of roots of the first primes: where the standard takes its constants from. */
function rootFractions(count: number, root: (prime: number) => number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  return primes.map((prime) => ((root(prime) % 1) * 2 ** 32) | 0);
}

const constants = /* @__PURE__ */ rootFractions(64, Math.cbrt);
const sha256Initial = /* @__PURE__ */ rootFractions(8, Math.sqrt);

/** The SHA-256 of a text in UTF-8, in hexadecimal. */
export function sha256(text: string): string {
  return digest(
    text,
    sha256Initial,
    64,
    (w, i) => {
      const [far, near] = [w[i - 15]!, w[i - 2]!];
      const s0 = rotate(far, 25) ^ rotate(far, 14) ^ (far >>> 3);
      const s1 = rotate(near, 15) ^ rotate(near, 13) ^ (near >>> 10);
      return w[i - 16]! + s0 + w[i - 7]! + s1;
    },
    (state, word, i) => {
      const [a, b, c] = [state[0]!, state[1]!, state[2]!];
      const [e, f, g] = [state[4]!, state[5]!, state[6]!];
      const s1 = rotate(e, 26) ^ rotate(e, 21) ^ rotate(e, 7);
      const first = state[7]! + s1 + ((e & f) ^ (~e & g)) + constants[i]! + word;
      const s0 = rotate(a, 30) ^ rotate(a, 19) ^ rotate(a, 10);
      const second = s0 + ((a & b) ^ (a & c) ^ (b & c));
      state.copyWithin(1, 0);
      state[0] = first + second;
      state[4]! += first;
    },
  );
}
