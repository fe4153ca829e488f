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
 * Picks the requested fields, in the requested order. A missing field is null, so that every row has the same keys. `isKnown`
 * says which fields may be missing; any other one has to be in a row: see `neverSeen`.
 */
export class Picker {
  readonly #unseen: Set<string>;
  readonly #present = new Set<string>();

  constructor(
    private readonly fields: readonly string[] | undefined,
    isKnown: (field: string) => boolean,
  ) {
    this.#unseen = new Set(fields?.filter((field) => !isKnown(field)));
  }

  pick(value: unknown): unknown {
    if (this.fields === undefined || !isObject(value)) return value;
    if (this.#unseen.size > 0) this.#look(value);
    return Object.fromEntries(this.fields.map((field) => [field, getField(value, field) ?? null]));
  }

  /** Requested fields that are not known and that no row has had so far. */
  get neverSeen(): readonly string[] {
    return [...this.#unseen];
  }

  /** Every field that the rows have had, if some were never seen. */
  get present(): readonly string[] {
    return [...this.#present];
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
