const mark = '[api key]';

/** Takes the key out of whatever is shown: messages of the server, and causes that carry it. */
export class Redactor {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  text(text: string): string {
    return text.includes(this.#key) ? text.split(this.#key).join(mark) : text;
  }

  /** The cause itself where it does not mention the key; else a plain error that says the same without it. */
  cause(cause: unknown): unknown {
    if (!this.#mentions(cause, 5)) return cause;
    if (!(cause instanceof Error)) return new Error('The cause is not shown: it mentions the API key.');
    const shown = new Error(this.text(cause.message));
    shown.name = this.text(cause.name);
    shown.stack = this.text(cause.stack ?? '');
    return shown;
  }

  #mentions(value: unknown, depth: number): boolean {
    if (typeof value === 'string') return value.includes(this.#key);
    if (typeof value !== 'object' || value === null) return false;
    // Too deep to look at is too deep to show.
    if (depth === 0) return true;
    if (typeof Headers === 'function' && value instanceof Headers) return value.has('authorization');
    if (typeof Request === 'function' && value instanceof Request) return true;
    if (value instanceof Map || value instanceof Set) return this.#mentions([...value], depth - 1);
    return Reflect.ownKeys(value).some((name) => {
      const property = Object.getOwnPropertyDescriptor(value, name);
      return property !== undefined && this.#mentions(property.value, depth - 1);
    });
  }
}
