function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of the record itself: every object inherits names such as `constructor`. */
const ownField = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** `key.scope` of `{ key: { scope } }`; a field that has the whole name wins. */
export function fieldOf(value: unknown, path: string): unknown {
  if (isObject(value) && Object.hasOwn(value, path)) return value[path];
  return path.split('.').reduce(ownField, value);
}

/**
 * The fields asked for, in the order asked for; a missing one is null, so that every row has the same keys. Some fields
 * are optional, so only one that no row had is worth a word: see `neverSeen`.
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
    return Object.fromEntries(this.fields.map((field) => [field, fieldOf(value, field) ?? null]));
  }

  /** What to tell of fields that nothing printed had; undefined if there are none, or nothing was printed. */
  get neverSeen(): string | undefined {
    if (this.#unseen.size === 0 || this.#present.size === 0) return undefined;
    return `there is no field ${[...this.#unseen].join(', ')} in what is printed; there are ${[...this.#present].join(', ')}`;
  }

  #look(value: Record<string, unknown>): void {
    for (const name of Object.keys(value)) this.#present.add(name);
    for (const field of this.#unseen) if (fieldOf(value, field) !== undefined) this.#unseen.delete(field);
  }
}

/** Every leaf with its dotted name, for a table of one thing. */
export function flatten(value: Record<string, unknown>, prefix = ''): [name: string, value: unknown][] {
  return Object.entries(value).flatMap(([key, part]): [string, unknown][] =>
    isObject(part) && Object.keys(part).length > 0
      ? flatten(part, `${prefix}${key}.`)
      : [[`${prefix}${key}`, part]],
  );
}
