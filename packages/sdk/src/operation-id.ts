import { isObject } from './assumed.ts';
import { invalidInput } from './errors/refused.ts';
import type { IntentPart } from './options.ts';

/** A given operation id in the spelling it is compared by: any 8-4-4-4-12 group of hexadecimal digits. */
export function operationIdOf(given: string): string {
  const id = String(given).toLowerCase();
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return id;
  throw invalidInput('operationId must be a UUID');
}

/** JSON with sorted keys and without undefined: equal for equal input, texts as `spelled`. */
export function canonicalJson(value: unknown, spelled = (text: string): string => text): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'string') return spelled(item);
    if (!isObject(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The namespace of derived ids, 6f726763-6861-742e-696e-74656e747321, as its sixteen bytes are read. */
const namespace = 'orgchat.intents!';

/**
 * Derives an operation id (a UUID, version 5) from what a change is for. The same parts give the same id, in every
 * process and on every machine; `'ab'` and `'a', 'b'` differ.
 *
 * @example
 * const operationId = await operationIdFrom('import', 'customers.csv', 17);
 */
export async function operationIdFrom(...parts: readonly IntentPart[]): Promise<string> {
  // In JSON a missing one would be null, and what differs in what is missing would be one intent.
  if (!parts.length || (parts as readonly unknown[]).includes(undefined)) {
    throw invalidInput('an intent needs defined parts');
  }
  const hex = await digest('SHA-1', namespace + canonicalJson(parts));
  const variant = '89ab'[Number(`0x${hex[16]}`) & 3];
  return hex.replace(/^(.{8})(.{4}).(...).(...)(.{12}).*/, `$1-$2-5$3-${variant}$4-$5`);
}

async function digest(algorithm: string, text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest(algorithm, new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => (byte + 256).toString(16).slice(1)).join('');
}

/**
 * What journal entries are bound to: the base URL and a digest of the key, never the key. Entries are found by it, so
 * another spelling of it takes another format of entries.
 */
export async function targetOf(baseUrl: string, apiKey: string): Promise<string> {
  return `${baseUrl}#${(await digest('SHA-256', `orgchat ${baseUrl} ${apiKey}`)).slice(0, 32)}`;
}
