import { createHash } from 'node:crypto';
import { isObject } from '@orgchat/spec/is-object';

/** The API trims free text, so white space around it does not matter. The order of fields does not either. */
function normalize(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(normalize);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, item]) => [name, normalize(item)]));
}

/** Returns the text by which the journal recognizes what was sent: a digest of what was asked for. */
export function createFingerprint(asked: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify(normalize(asked)))
    .digest('hex');
}
