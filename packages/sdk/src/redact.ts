/** Takes the key out of whatever is shown: messages of the server, and causes that carry it. */
export class Redactor {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  text(text: string): string {
    return text.split(this.#key).join('[api key]');
  }

  /** The cause itself where it does not mention the key; else a plain error that says the same without it. */
  cause(cause: unknown): unknown {
    if (!this.#mentions(cause, 6)) return cause;
    const { message = 'not shown: it mentions the API key', stack = '' } =
      cause instanceof Error ? cause : {};
    return Object.assign(new Error(this.text(message)), { stack: this.text(stack) });
  }

  #mentions(value: unknown, depth: number): boolean {
    if (typeof value === 'string') return value.includes(this.#key);
    if (typeof value !== 'object' || value === null) return false;
    // Too deep to look at is too deep to show; and what carries headers carries the key.
    if (depth === 0 || value instanceof Headers || value instanceof Request) return true;
    return Reflect.ownKeys(value).some((name) =>
      this.#mentions(Object.getOwnPropertyDescriptor(value, name)?.value, depth - 1),
    );
  }
}
