/** Shorter texts occur in any text by chance. */
const shortest = 2;
/** Longer texts do not occur by chance. */
const longest = 12;

/** The texts of an organization, which masked texts must not contain. Upper and lower case count as the same. */
export class OriginalTexts {
  readonly #all = new Set<string>();
  readonly #lengths = new Set<number>();

  add(text: string): void {
    const found = text.trim().toLowerCase();
    if (found === '') return;
    this.#all.add(found);
    if (found.length >= shortest && found.length <= longest) this.#lengths.add(found.length);
  }

  has(text: string): boolean {
    return this.#all.has(text.toLowerCase());
  }

  /** Whether the end of a text is an original text of 2 to 12 characters. */
  isAtEndOf(text: string): boolean {
    const end = text.slice(-longest).toLowerCase();
    for (const length of this.#lengths)
      if (end.length >= length && this.#all.has(end.slice(-length))) return true;
    return false;
  }

  isIn(text: string): boolean {
    for (let end = shortest; end <= text.length; end++) if (this.isAtEndOf(text.slice(0, end))) return true;
    return false;
  }
}
