import { createHash } from 'node:crypto';
import { sha1 as nobleSha1 } from '@noble/hashes/legacy.js';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha1, sha256 } from './digest.ts';

const lengths = Array.from({ length: 200 }, (_, n) => 'é'.repeat(n % 2) + 'a'.repeat(n));

test('digests are those of Node and of a library, at every length around the blocks', () => {
  for (const text of [...lengths, 'x'.repeat(100_000), '\u{1f600}']) {
    expect(sha1(text)).toBe(createHash('sha1').update(text).digest('hex'));
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
    expect(sha1(text)).toBe(bytesToHex(nobleSha1(utf8ToBytes(text))));
    expect(sha256(text)).toBe(bytesToHex(nobleSha256(utf8ToBytes(text))));
  }
});

test('of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(sha1(text)).toBe(createHash('sha1').update(text).digest('hex'));
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
    }),
    { seed: Number(process.env.ORGCHAT_TEST_SEED ?? 1), numRuns: 300 },
  );
});
