import { createHash, hash } from 'node:crypto';

/** SHA-256 of a text, as 64 lowercase hexadecimal characters. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');

const group = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

/** The UUID a name stands for: the same name gives the same UUID, always. */
export const namedUuid = (name: string): string => group(createHash('sha256').update(name).digest('hex'));

/** The friend identifier a name stands for. */
export const namedFriendId = (name: string): string => `U${sha256(name).slice(0, 32)}`;
