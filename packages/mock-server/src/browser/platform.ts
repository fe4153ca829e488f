import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type * as nodePlatform from '../primitives/platform.ts';

/* The functions of `primitives/platform.ts` with what browsers and workers have. The compiler compares the two. */

type Platform = typeof nodePlatform;

export const sha256: Platform['sha256'] = (text) => bytesToHex(digest(utf8ToBytes(text)));

export const byteLength: Platform['byteLength'] = (body) =>
  typeof body === 'string' ? utf8ToBytes(body).byteLength : body.byteLength;

export const decodeUtf8: Platform['decodeUtf8'] = (bytes) => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** JSON escapes half a surrogate pair, which UTF-8 would replace. */
export const detach: Platform['detach'] = (text) => JSON.parse(JSON.stringify(text));

/** Nobody can subscribe to a channel of Node here. */
export const channel = (): { readonly hasSubscribers: boolean; publish(message: unknown): void } => ({
  hasSubscribers: false,
  publish: () => {},
});
