import { sha256 } from './platform.ts';

const formatUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

/** Derives a UUID from a name; the same name always gives the same UUID. */
export const deriveUuid = (name: string): string => formatUuid(sha256(name));

/** Derives a friend identifier from a name. */
export const deriveFriendId = (name: string): string => `U${sha256(name).slice(0, 32)}`;
