import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';

export { channel } from 'node:diagnostics_channel';

/* What Node does faster than the web's interfaces. A build for browsers has `browser/platform.ts` in the place of this file. */

/** SHA-256 of a text, as 64 lowercase hexadecimal characters. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** The size of a body, or of a text in UTF-8, in bytes. */
export const byteLength = (body: Uint8Array | string): number => Buffer.byteLength(body);

/** The text of bytes in UTF-8, with a byte order mark if there is one; undefined if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  // Invalid UTF-8 becomes this character, which may also have been sent.
  return text.includes('\ufffd') && !isUtf8(bytes) ? undefined : text;
}

/** A copy of a text in memory of its own: a slice keeps the whole text in memory. */
export const detach = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
