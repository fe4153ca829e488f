/** A shorter key is not searched for: it would be found in ordinary words. */
const shortest = 6;
/** A value with more parts than this is not searched. */
const mostParts = 500;

/** Removes the API key from everything that is shown: messages of the server, and causes that contain it. */
export interface Redactor {
  text<T extends string | undefined>(text: T): T;
  /** Returns the cause itself if it does not contain the key, otherwise a plain error with the same text without it. */
  cause(cause: unknown): unknown;
}

export function createRedactor(apiKey: string): Redactor {
  const isSearchable = apiKey.length >= shortest;
  const text = <T extends string | undefined>(shown: T) =>
    (isSearchable ? shown?.replaceAll(apiKey, '[api key]') : shown) as T;

  function mentions(value: unknown, seen: Set<unknown>): boolean {
    if (typeof value === 'string') return isSearchable && value.includes(apiKey);
    if (Object(value) !== value || seen.has(value)) return false;
    // Too large to look through is too large to show; and what carries headers carries the key.
    if (seen.add(value).size > mostParts || value instanceof Headers || value instanceof Request) return true;
    const parts: object = value instanceof Map ? [...value] : Object(value);
    return Reflect.ownKeys(parts).some((name) =>
      mentions(Object.getOwnPropertyDescriptor(parts, name)?.value, seen),
    );
  }

  return {
    text,
    cause(cause) {
      if (!mentions(cause, new Set())) return cause;
      const { message, stack } = cause instanceof Error ? cause : new Error('[api key]');
      return Object.assign(new Error(text(message)), { stack: text(stack) });
    },
  };
}
