import type { SandboxEntry } from '../../control-api/types.ts';
import { countOf, formatNumber } from '../../text/count.ts';

/** `no request yet`, `3 requests, none refused` or `3 requests, 2 refused`. */
export function describeCounts({ requests, refused }: Pick<SandboxEntry, 'requests' | 'refused'>): string {
  if (requests === 0) return 'no request yet';
  return `${countOf(requests, 'request')}, ${refused === 0 ? 'none' : formatNumber(refused)} refused`;
}

/** The pieces of an address, each with the slash at its end: it breaks only between them. */
export const splitAddress = (address: string): readonly string[] => address.split(/(?<=\/)(?!\/)/);
