import { readFileSync } from 'node:fs';
import { findDecidedClauses, listNumbers } from '@orgchat/spec/numbered-places';

const read = (name: string): string =>
  readFileSync(new URL(`../../../spec/${name}`, import.meta.url), 'utf8');

/** The numbers of the clauses of spec/SPECIFICATION.md. */
export const clauses: ReadonlySet<string> = new Set(listNumbers(read('SPECIFICATION.md'), 'clause'));

/** The numbers of the decisions of spec/DECISIONS.md. */
export const decisions: ReadonlySet<string> = new Set(listNumbers(read('DECISIONS.md'), 'decision'));

/** The clauses that each decision says to be about. */
export const decidedClauses = findDecidedClauses(read('DECISIONS.md'));
