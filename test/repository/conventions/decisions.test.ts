import { readFileSync } from 'node:fs';
import { findDecidedClauses } from '@orgchat/spec/numbered-places';
import { expect, it } from 'vitest';
import { readClauses } from '../../contract/clauses/clauses.ts';
import { anchorOf, pages } from './repository-texts.ts';

/* spec/DECISIONS.md: its numbers are in order, its index is complete, and nothing refers to a number that is not there. */

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const document = read('spec/DECISIONS.md');
const headings = Array.from(document.matchAll(/^### (D\d+) (.+)$/gm), ([, number = '', title = '']) => ({
  number,
  title,
}));
const numbers = headings.map(({ number }) => number);

it('numbers the decisions in order, without a gap', () => {
  expect(numbers).toEqual(numbers.map((_, n) => `D${n + 1}`));
});

it('lists each decision in the index below its group, with a link of its title that works', () => {
  const [, index = ''] = /^## Index\n([\s\S]*?)^## /m.exec(document) ?? [];
  const rows = Array.from(index.matchAll(/^(?:\*\*(.+)\*\*|- (\[.*\)))$/gm), ([, group, row]) =>
    group === undefined ? row : `## ${group}`,
  );
  const parts = Array.from(document.matchAll(/^## .+$|^### (D\d+ .+)$/gm), ([line, title]) =>
    title === undefined ? line : `[${title}](#${anchorOf(title)})`,
  );
  // Other sections have no decisions.
  const isEmpty = (part: string, at: number): boolean =>
    part.startsWith('## ') && parts[at + 1]?.startsWith('[') !== true;
  expect(rows).toEqual(parts.filter((part, at) => !isEmpty(part, at)));
});

it('names existing clauses that leave each decision open', () => {
  const decided = findDecidedClauses(document);
  expect([...decided.keys()]).toEqual(numbers);
  const clauses = readClauses();
  expect([...decided.values()].flat().filter((clause) => !clauses.includes(clause))).toEqual([]);
});

it.each([...pages, 'packages/sdk/src/retry/classify.ts'])('%s refers to existing decisions', (path) => {
  const named = Array.from(read(path).matchAll(/\bD\d+\b/g), ([number]) => number);
  expect(named.filter((number) => !numbers.includes(number))).toEqual([]);
});
