/** The key of an `Authorization` header; undefined if there is none (clause 3.1, D4). */
export function parseBearerKey(authorization: string | undefined): string | undefined {
  // HTTP removes white space around the value of a header.
  if (authorization?.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return authorization.slice(7).trimStart();
}
