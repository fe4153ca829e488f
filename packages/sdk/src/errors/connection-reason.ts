import type { ConnectionFailureReason } from './base.ts';

/** Error codes of Node, Bun and undici by what they say. Deno and workerd have none. */
const reasons: readonly (readonly [ConnectionFailureReason, RegExp])[] = [
  ['dns', /ENOTFOUND|EAI_/],
  ['refused', /REFUSED/i],
  ['unreachable', /UNREACH/],
  ['timeout', /TIMED?OUT/],
  ['tls', /CERT|UNABLE_TO|TLS|SSL|EPROTO/],
  ['proxy', /PROXY|PRX/],
  ['closed', /ECONNRESET|EPIPE|SOCKET|CLOSED/i],
];

/**
 * Returns the error code of the system in a chain of causes; a DOMException has a number there, which does not count.
 */
export function findSystemCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : findSystemCode(cause.cause);
}

/**
 * Returns why a request had no answer, by the error code of the system; undefined if the code says nothing about it.
 */
export function findConnectionReason(systemCode: string | undefined): ConnectionFailureReason | undefined {
  return systemCode === undefined ? undefined : reasons.find(([, codes]) => codes.test(systemCode))?.[0];
}
