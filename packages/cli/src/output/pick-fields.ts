import { isObject } from '@orgchat/spec/is-object';

/** A field of the record itself: every object inherits names such as `constructor`. */
const ownField = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** `key.scope` of `{ key: { scope } }`; a field that has the whole name wins. */
export function getField(value: unknown, path: string): unknown {
  if (isObject(value) && Object.hasOwn(value, path)) return value[path];
  return path.split('.').reduce(ownField, value);
}

/**
 * Picks the requested fields, in the requested order. A missing field is null, so that every row has the same keys.
 * Some fields are optional, so only fields that no row has are reported: see `neverSeen`.
 */
export class Picker {
  readonly #unseen: Set<string>;
  readonly #present = new Set<string>();

  constructor(private readonly fields: readonly string[] | undefined) {
    this.#unseen = new Set(fields);
  }

  pick(value: unknown): unknown {
    if (this.fields === undefined || !isObject(value)) return value;
    if (this.#unseen.size > 0) this.#look(value);
    return Object.fromEntries(this.fields.map((field) => [field, getField(value, field) ?? null]));
  }

  /** A warning about fields that no printed record has; undefined if there are none. */
  get neverSeen(): string | undefined {
    if (this.#unseen.size === 0 || this.#present.size === 0) return undefined;
    return `unknown fields in --fields: ${[...this.#unseen].join(', ')}. Available fields: ${[...this.#present].join(', ')}`;
  }

  #look(value: Record<string, unknown>): void {
    for (const name of Object.keys(value)) this.#present.add(name);
    for (const field of this.#unseen) if (getField(value, field) !== undefined) this.#unseen.delete(field);
  }
}

/** All values with their dotted names, for a table of one record. */
export function flatten(value: Record<string, unknown>, prefix = ''): [name: string, value: unknown][] {
  return Object.entries(value).flatMap(([key, part]): [string, unknown][] =>
    isObject(part) && Object.keys(part).length > 0
      ? flatten(part, `${prefix}${key}.`)
      : [[`${prefix}${key}`, part]],
  );
}
