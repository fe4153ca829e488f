/* Any value as the text that the playground prints. */

/** What JSON cannot say, as a value that it can. */
function simplify(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return '[function]';
  if (typeof value === 'undefined' || typeof value === 'symbol') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  return value;
}

function toJson(value: unknown): string {
  /** The objects that the value at hand is in, outermost first. */
  let path: { readonly original: unknown; readonly simple: unknown }[] = [];
  function replace(this: unknown, _key: string, original: unknown): unknown {
    const simple = simplify(original);
    if (typeof simple !== 'object' || simple === null) return simple;
    path = path.slice(0, path.findIndex((outer) => outer.simple === this) + 1);
    if (path.some((outer) => outer.original === original)) return '[circular]';
    path.push({ original, simple });
    return simple;
  }
  return JSON.stringify(value, replace, 2);
}

/** A value as a text. Never throws, whatever the value does. */
export function formatValue(value: unknown): string {
  try {
    const simple = simplify(value);
    return typeof simple === 'string' ? simple : toJson(value);
  } catch {
    return '[a value that cannot be shown]';
  }
}
