import { createInvalidInputError } from '../errors/refused.ts';
import type { IntentPart } from '../options/options.ts';
import { describeId, describeType, isObject, isPlainObject } from '../values.ts';
import { sha1, sha256 } from './digest.ts';

/** A given operation id in the spelling it is compared by: any 8-4-4-4-12 group of hexadecimal digits. */
export function parseOperationId(given: string): string {
  const id = String(given).toLowerCase();
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return id;
  throw createInvalidInputError(
    `operationId must be a UUID; got ${describeId(given)}. To derive one from an id of your own, use intent or operationIdFrom().`,
  );
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
 * process and on every machine; `'ab'` and `'a', 'b'` differ. Rejects with `INVALID_INPUT` if a part is one that JSON
 * cannot tell from another: undefined, NaN, Infinity, a Map or Set, a Date or an instance of another class.
 *
 * @example
 * const operationId = await operationIdFrom('import', 'customers.csv', 17);
 */
export async function operationIdFrom(...parts: readonly IntentPart[]): Promise<string> {
  return deriveOperationId(parts);
}

/** Derives the id that `operationIdFrom()` returns, synchronously. */
export function deriveOperationId(parts: readonly IntentPart[]): string {
  if (!Array.isArray(parts)) {
    throw createInvalidInputError(
      `An intent must be an array, such as ["import", 17]; got ${describeType(parts)}.`,
    );
  }
  if (parts.length === 0) {
    throw createInvalidInputError('An intent must have at least one part, such as ["import", 17].');
  }
  requireIntentPart(parts, 'intent', []);
  const hex = sha1(namespace + canonicalJson(parts));
  const variant = '89ab'[Number(`0x${hex[16]}`) & 3];
  return hex.replace(/^(.{8})(.{4}).(...).(...)(.{12}).*/, `$1-$2-5$3-${variant}$4-$5`);
}

/** Refuses what JSON drops or writes as something else: two intents that differ in it would be one. */
function requireIntentPart(part: unknown, path: string, around: readonly unknown[]): void {
  if (part === null || typeof part === 'string' || typeof part === 'boolean' || Number.isFinite(part)) return;
  const within = [...around, part];
  if (Array.isArray(part) && !around.includes(part)) {
    // Array.from() sees the holes of an array, which forEach() skips.
    for (const [index, item] of Array.from(part).entries())
      requireIntentPart(item, `${path}[${index}]`, within);
  } else if (isPlainObject(part) && !around.includes(part)) {
    for (const [name, item] of Object.entries(part)) requireIntentPart(item, `${path}.${name}`, within);
  } else {
    throw createInvalidInputError(
      `${path} must be a string, a finite number, a boolean, null, or a plain object or array of these; got ${describeValue(part)}.`,
    );
  }
}

function describeValue(value: unknown): string {
  if (Array.isArray(value) || isPlainObject(value)) return 'an object that contains itself';
  if (isObject(value)) return `an instance of ${value.constructor?.name || 'a class'}`;
  return typeof value === 'symbol' || typeof value === 'function' ? `a ${typeof value}` : String(value);
}

/**
 * What journal entries are bound to: the base URL and a digest of the key, never the key. Entries are found by it, so
 * another spelling of it takes another format of entries.
 */
export function createTarget(baseUrl: string, apiKey: string): string {
  return `${baseUrl}#${sha256(`orgchat ${baseUrl} ${apiKey}`).slice(0, 32)}`;
}
