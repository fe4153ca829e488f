import { InvalidInputError } from './errors/index.ts';
import type { IntentPart } from './options.ts';

/** Any 8-4-4-4-12 group of hexadecimal digits, as the contract takes it. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The namespace of derived ids: fixed, so that every process derives the same. */
const namespace = 'e9a0b0b5-6a3b-4a4e-8f0f-2f1d8c1b7a61';

/** A given operation id in the spelling it is compared by. */
export function operationIdOf(given: string): string {
  const id = typeof given === 'string' ? given.toLowerCase() : '';
  if (uuid.test(id)) return id;
  throw new InvalidInputError({ code: 'INVALID_INPUT', message: 'operationId must be a UUID' });
}

/** JSON with sorted keys and without undefined: equal for equal input. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * Derives an operation id (a UUID, version 5) from what a change is for. The same parts give the same id, in every
 * process and on every machine; `'ab'` and `'a', 'b'` differ.
 *
 * @example
 * const operationId = await operationIdFrom('import', 'customers.csv', 17);
 */
export async function operationIdFrom(...parts: readonly IntentPart[]): Promise<string> {
  if (parts.length === 0) {
    throw new InvalidInputError({
      code: 'INVALID_INPUT',
      message: 'an operation id needs at least one part',
    });
  }
  const space = Uint8Array.from(namespace.replaceAll('-', '').match(/../g) ?? [], (hex) =>
    Number.parseInt(hex, 16),
  );
  const name = new TextEncoder().encode(canonicalJson(parts));
  const input = new Uint8Array(space.length + name.length);
  input.set(space);
  input.set(name, space.length);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', input)).slice(0, 16);
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return hex(digest).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What journal entries are bound to: the base URL and a digest of the key, never the key. */
export async function targetOf(baseUrl: string, apiKey: string): Promise<string> {
  const bytes = new TextEncoder().encode(`orgchat ${baseUrl} ${apiKey}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `${baseUrl}#${hex(digest).slice(0, 32)}`;
}
