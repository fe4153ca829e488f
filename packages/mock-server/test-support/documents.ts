import { readFileSync } from 'node:fs';

const read = (name: string): string =>
  readFileSync(new URL(`../../../spec/${name}`, import.meta.url), 'utf8');

/** The numbers of the clauses of spec/SPECIFICATION.md. */
export const clauses: ReadonlySet<string> = new Set(
  Array.from(read('SPECIFICATION.md').matchAll(/\*\*(\d+(?:\.\d+)+)\*\*/g), ([, id = '']) => id),
);

/** The numbers of the decisions of spec/DECISIONS.md. */
export const decisions: ReadonlySet<string> = new Set(
  Array.from(read('DECISIONS.md').matchAll(/^### (D\d+) /gm), ([, id = '']) => id),
);
