/*
 * SHA-1 and SHA-256 (FIPS 180-4) of texts, synchronously: `crypto.subtle` answers outside of the clock that a test
 * fakes. The ids and targets they make are names, not secrets. A library for this is three times as large; the tests
 * hold this module to one.
 */

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** The padded message as words, most significant byte first; blocks of sixteen. */
function toWords(text: string): Uint32Array {
  const bytes = [...new TextEncoder().encode(text), 0x80];
  const words = new Uint32Array(((bytes.length + 7) >> 6) * 16 + 16);
  for (const [i, byte] of bytes.entries()) words[i >> 2]! |= byte << (24 - (i % 4) * 8);
  words[words.length - 1] = (bytes.length - 1) * 8;
  return words;
}

/** Runs the rounds of each block, and adds what they make of the state to the state. */
function digest(
  text: string,
  initial: readonly number[],
  rounds: number,
  schedule: (words: Int32Array, i: number) => number,
  step: (state: number[], word: number, i: number) => number[],
): string {
  const message = toWords(text);
  const words = new Int32Array(rounds);
  let hash = [...initial];
  for (let start = 0; start < message.length; start += 16) {
    words.set(message.subarray(start, start + 16));
    for (let i = 16; i < rounds; i++) words[i] = schedule(words, i);
    let state = hash;
    for (let i = 0; i < rounds; i++) state = step(state, words[i]!, i);
    hash = hash.map((word, i) => (word + state[i]!) | 0);
  }
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

const sha1Initial = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

/** The SHA-1 of a text in UTF-8, in hexadecimal. */
export function sha1(text: string): string {
  return digest(
    text,
    sha1Initial,
    80,
    (w, i) => rotate(w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!, 1),
    ([a = 0, b = 0, c = 0, d = 0, e = 0], word, i) => {
      const choice = [(b & c) | (~b & d), b ^ c ^ d, (b & c) | (b & d) | (c & d), b ^ c ^ d];
      const constants = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];
      const phase = Math.floor(i / 20);
      return [(rotate(a, 5) + choice[phase]! + e + constants[phase]! + word) | 0, a, rotate(b, 30), c, d];
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
    ([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0], word, i) => {
      const s1 = rotate(e, 26) ^ rotate(e, 21) ^ rotate(e, 7);
      const first = h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + word;
      const s0 = rotate(a, 30) ^ rotate(a, 19) ^ rotate(a, 10);
      const second = s0 + ((a & b) ^ (a & c) ^ (b & c));
      return [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    },
  );
}
