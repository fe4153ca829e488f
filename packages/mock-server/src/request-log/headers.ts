import { parseBearerKey } from '../http/bearer-key.ts';
import type { HeaderSource } from '../http/message.ts';
import { detach } from '../primitives/platform.ts';
import { maskKey } from '../records/key.ts';

/** Characters of all headers of a request that are kept as they came. Those of usual clients have a few hundred. */
const maxCharacters = 4096;
/** Names and values together if there are more characters. */
const maxTexts = 100;
/** Characters of a value if there are more. */
const maxValue = 200;

/** Headers whose values are secrets. */
const secret = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key']);

/**
 * Keeps headers. Most requests of a client have the same headers but for the length of the body, so those of the last
 * request are shared: keeping each apart makes a read 5 % slower.
 */
export class KeptHeaders {
  #last: readonly string[] = [];

  keep(source: HeaderSource): readonly string[] {
    const headers = isList(source) ? source : toList(source);
    if (!isSame(headers, this.#last)) this.#last = limitHeaders(headers);
    return this.#last;
  }
}

/** A list costs less than the object itself, which would live as long as the log has the request. */
function toList(source: Headers): readonly string[] {
  const list: string[] = [];
  for (const [name, value] of source) list.push(name, value);
  return list;
}

/** Whether headers are a list. To ask for `Headers` itself would make Node load its fetch, 15 ms at the first request. */
const isList = (source: HeaderSource): source is readonly string[] => Array.isArray(source);

/** Whether two lists are equal but for the value of `Content-Length`, which the log knows from the body. */
function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) {
    if (one[i] !== other[i] && (i % 2 === 0 || !isLength(one[i - 1]!))) return false;
  }
  return true;
}

const isLength = (name: string): boolean => name.length === 14 && name.toLowerCase() === 'content-length';

/** The headers to keep: the same object, or a copy with short values if they are large. */
function limitHeaders(source: readonly string[]): readonly string[] {
  let characters = 0;
  for (let i = 0; i < source.length; i++) characters += source[i]!.length;
  if (characters <= maxCharacters) return source;
  const kept = source.slice(0, maxTexts);
  // Why a request was answered as it was refers to this one.
  const type = findHeader(source, contentType);
  if (type !== undefined && findHeader(kept, contentType) === undefined)
    kept.splice(-2, 2, contentType, type);
  return kept.map((text) => detach(text.slice(0, maxValue)));
}

const contentType = 'content-type';

/**
 * The headers of a request with this many body bytes, by their lowercase names, with masked secrets. Several values of
 * one name are joined by a comma.
 */
export function listHeaders(source: readonly string[], bodyBytes: number): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of toPairs(source)) {
    const isLength = name === 'content-length';
    const shown = isLength ? `${bodyBytes}` : secret.has(name) ? mask(name, value) : value;
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
    Object.defineProperty(headers, name, {
      value: before === undefined ? shown : `${before}, ${shown}`,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return headers;
}

/** The first value of a header, by its lowercase name. */
export function findHeader(source: readonly string[], name: string): string | undefined {
  for (const [found, value] of toPairs(source)) if (found === name) return value;
  return undefined;
}

function* toPairs(source: readonly string[]): Generator<[string, string]> {
  for (let i = 0; i + 1 < source.length; i += 2) yield [source[i]!.toLowerCase(), source[i + 1]!];
}

function mask(name: string, value: string): string {
  const key = name === 'authorization' ? parseBearerKey(value) : undefined;
  return key === undefined ? '***' : `Bearer ${maskKey(key)}`;
}
