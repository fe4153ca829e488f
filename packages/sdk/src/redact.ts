/** A key shorter than this is none: it would be found in any word. */
const shortest = 6;
/** What has more parts than this is not looked through. */
const mostParts = 500;

/** Takes the key out of whatever is shown: messages of the server, and causes that carry it. */
export interface Redactor {
  text<T extends string | undefined>(text: T): T;
  /** The cause itself where it does not mention the key; else a plain error that says the same without it. */
  cause(cause: unknown): unknown;
}

export function redactorFor(apiKey: string): Redactor {
  const key = apiKey.length < shortest ? '\0' : apiKey;
  const text = <T extends string | undefined>(shown: T) => shown?.replaceAll(key, '[api key]') as T;

  function mentions(value: unknown, seen: Set<unknown>): boolean {
    if (typeof value === 'string') return value.includes(key);
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
      const { message = key, stack = '' } = cause instanceof Error ? cause : {};
      return Object.assign(new Error(text(message)), { stack: text(stack) });
    },
  };
}
