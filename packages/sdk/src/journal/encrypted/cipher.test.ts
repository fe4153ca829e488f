import { describe, expect, test } from 'vitest';
import { createCipher, type EncryptionKey } from './cipher.ts';

const bytes = Uint8Array.from({ length: 32 }, (_, n) => n * 7);
const texts = {
  hexadecimal: Buffer.from(bytes).toString('hex'),
  base64: Buffer.from(bytes).toString('base64'),
  base64url: Buffer.from(bytes).toString('base64url'),
};
const other = 'cd'.repeat(32);

describe('a key', () => {
  test.each(Object.entries(texts))('may be given in %s', (_spelling, key) => {
    const encrypted = createCipher(bytes).encrypt('VIP ✨', 'a');
    expect(createCipher(key).decrypt(encrypted, 'a')).toEqual({ text: 'VIP ✨' });
    expect(createCipher(` ${key}\n`).decrypt(encrypted, 'a')).toEqual({ text: 'VIP ✨' });
  });

  test.each<[string, unknown]>([
    ['16 bytes', new Uint8Array(16)],
    ['33 bytes', new Uint8Array(33)],
    ['a passphrase', 'correct horse battery staple'],
    ['an empty text', ''],
    ['hexadecimal of 31 bytes', 'ab'.repeat(31)],
    ['undefined', undefined],
    ['null', null],
    ['a number', 32],
    ['an array of numbers', [Array.from(bytes)]],
    ['a list without keys', []],
    ['a list with an unset variable', [other, undefined]],
  ])('cannot be %s', (_what, key) => {
    const create = () => createCipher(key as EncryptionKey);
    expect(create).toThrow(expect.objectContaining({ code: 'INVALID_OPTIONS' }));
    if (typeof key === 'string' && key !== '') expect(create).not.toThrow(key);
  });

  test('that is changed after it was given changes nothing', () => {
    const given = Uint8Array.from(bytes);
    const cipher = createCipher(given);
    given.fill(0);
    expect(createCipher(bytes).decrypt(cipher.encrypt('x', 'a'), 'a')).toEqual({ text: 'x' });
  });
});

describe('an encrypted text', () => {
  const cipher = createCipher(bytes);

  test('differs each time', () => {
    expect(cipher.encrypt('same', 'a')).not.toBe(cipher.encrypt('same', 'a'));
  });

  test('can be decrypted with each given key, and names the one it has', () => {
    const encrypted = cipher.encrypt('x', 'a');
    expect(createCipher([other, bytes]).decrypt(encrypted, 'a')).toEqual({ text: 'x' });
    expect(createCipher(other).decrypt(encrypted, 'a')).toEqual({ failure: 'unknown-key' });
    expect(cipher.decrypt(createCipher([other, bytes]).encrypt('x', 'a'), 'a')).toEqual({
      failure: 'unknown-key',
    });
  });

  test('cannot be decrypted in another context', () => {
    expect(cipher.decrypt(cipher.encrypt('x', 'a'), 'b')).toEqual({ failure: 'changed' });
  });

  test.each([0, 11, 12, 20, 35])('shows that its byte %i was changed', (position) => {
    const [format, id, content = ''] = cipher.encrypt('x'.repeat(8), 'a').split('.');
    const changed = Buffer.from(content, 'base64url');
    changed[position]! ^= 1;
    const encrypted = [format, id, changed.toString('base64url')].join('.');
    expect(cipher.decrypt(encrypted, 'a')).toEqual({ failure: 'changed' });
  });

  test('shows that it was cut', () => {
    const encrypted = cipher.encrypt('x', 'a');
    expect(cipher.decrypt(encrypted.slice(0, -2), 'a')).toEqual({ failure: 'changed' });
    expect(cipher.decrypt(encrypted.slice(0, 20), 'a')).toEqual({ failure: 'changed' });
  });

  test('of a later format is not mistaken for one of this', () => {
    expect(cipher.decrypt(cipher.encrypt('x', 'a').replace('v1', 'v2'), 'a')).toEqual({
      failure: 'unknown-key',
    });
  });
});
