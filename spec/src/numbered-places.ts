/* The numbers in SPECIFICATION.md and DECISIONS.md, by which requests, pages and tests refer to their texts. */

/** A clause, a section or a decision in one of the documents. */
export interface NumberedPlace {
  readonly kind: 'clause' | 'section' | 'decision';
  /** `4.4.40`, `4.4` or `D62`. */
  readonly number: string;
  /** The rest of the heading of a section or a decision; empty for a clause. */
  readonly title: string;
  /** The line that begins with it, counted from 0. */
  readonly line: number;
}

const heading = /^#+ (D\d+|\d+(?:\.\d+)*) (.*)$/;
/** At the beginning of a paragraph or of a row of a table. */
const clause = /^(?:\| )?\*\*(\d+(?:\.\d+)+)\*\* /;

/** Finds the numbered places of a document, in its order. */
export const findPlaces = (markdown: string): NumberedPlace[] =>
  markdown.split('\n').flatMap((text, line): NumberedPlace[] => {
    const [, section, title = ''] = heading.exec(text) ?? [];
    if (section !== undefined)
      return [{ kind: section.startsWith('D') ? 'decision' : 'section', number: section, title, line }];
    const [, number] = clause.exec(text) ?? [];
    return number === undefined ? [] : [{ kind: 'clause', number, title: '', line }];
  });

/** The numbers of one kind, in the order of the document. */
export const listNumbers = (markdown: string, kind: NumberedPlace['kind']): string[] =>
  findPlaces(markdown)
    .filter((place) => place.kind === kind)
    .map(({ number }) => number);

/** The clauses that each decision says to be about, by the number of the decision. */
export function findDecidedClauses(decisions: string): ReadonlyMap<string, readonly string[]> {
  const silent = /^### (D\d+) .*\n+- \*\*The contract does not define this in:\*\* ([\d., ]+)\.$/gm;
  return new Map(
    Array.from(
      decisions.matchAll(silent),
      ([, number = '', list = '']) => [number, list.split(', ')] as const,
    ),
  );
}
