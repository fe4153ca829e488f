import { Buffer } from 'node:buffer';
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { createInvalidOptionsError } from '../../errors/refused.ts';

/*
 * AES-256-GCM with node:crypto, because it answers at once: `crypto.subtle` answers outside of the clock that a test
 * fakes, so calls under fake timers would hang.
 */

/** A key of 32 bytes: the bytes, or their text in base64, base64url or hexadecimal. */
export type EncryptionKey = Uint8Array | string;

/** Encrypts and decrypts texts. The context is not stored; a text can be decrypted only with the context it had. */
export interface Cipher {
  encrypt(text: string, context: string): string;
  /** Returns why it could not be decrypted: no given key has encrypted it, or text or context were changed. */
  decrypt(
    encrypted: string,
    context: string,
  ): { readonly text: string } | { readonly failure: DecryptFailure };
}

export type DecryptFailure = 'unknown-key' | 'changed';

const version = 'v1';
const [nonceBytes, tagBytes] = [12, 16];

/** Creates a cipher that encrypts with the first key and decrypts with each of them. */
export function createCipher(keys: EncryptionKey | readonly EncryptionKey[]): Cipher {
  const given = (Array.isArray(keys) ? keys : [keys]) as readonly EncryptionKey[];
  const known = given.map((key) => {
    const bytes = parseKey(key);
    return { bytes, id: identify(bytes) };
  });
  const [current] = known;
  if (!current) throw createInvalidOptionsError('encryptedJournal() needs at least one key.');

  return {
    encrypt(text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', current.bytes, nonce).setAAD(Buffer.from(context));
      const content = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return `${version}.${current.id}.${Buffer.concat(content).toString('base64url')}`;
    },
    decrypt(encrypted, context) {
      const [format, id, content = ''] = encrypted.split('.');
      const key = known.find((one) => one.id === id);
      if (format !== version || !key) return { failure: 'unknown-key' };
      const bytes = Buffer.from(content, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return { failure: 'changed' };
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, nonceBytes));
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes));
      try {
        const start = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
        return { text: Buffer.concat([start, decipher.final()]).toString('utf8') };
      } catch {
        return { failure: 'changed' };
      }
    },
  };
}

/** Names a key in what it encrypts, without saying anything about its bytes. */
function identify(key: Buffer): string {
  return createHmac('sha256', key).update('orgchat journal key').digest('hex').slice(0, 8);
}

/** Returns a copy of the bytes of a key. Throws `INVALID_OPTIONS`; the message does not contain the key. */
function parseKey(key: EncryptionKey): Buffer {
  const bytes = typeof key === 'string' ? parseKeyText(key.trim()) : key;
  if (bytes instanceof Uint8Array && bytes.length === 32) return Buffer.from(bytes);
  throw createInvalidOptionsError(
    'A key of encryptedJournal() must be 32 bytes, or their text in base64 or hexadecimal. To make one, run: openssl rand -base64 32',
  );
}

function parseKeyText(text: string): Uint8Array | undefined {
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // Node reads both alphabets of base64.
  return /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
