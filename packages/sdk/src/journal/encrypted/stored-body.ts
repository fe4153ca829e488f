import { isObject } from '../../pipeline/values.ts';

/** Returns what is encrypted in a stored body; undefined if the body is not encrypted. */
export function findEncrypted(body: string): string | undefined {
  const stored: unknown = JSON.parse(body);
  if (!isObject(stored) || typeof stored.encrypted !== 'string') return undefined;
  return /^v\d+\./.test(stored.encrypted) ? stored.encrypted : undefined;
}
