import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkPage, page } from './check.ts';
import { createMatrix, findNamedClauses, getTitle, readClauses, withoutOwnFixtures } from './clauses.ts';
import { toMarkdown } from './markdown.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const clauses = readClauses();

describe('the matrix of clauses', () => {
  // global-setup.ts checks that the page is up to date, after all tests.
  it('has a row with tests for each clause, in files that exist', () => {
    const rows = Array.from(readFileSync(page, 'utf8').matchAll(/^\| (\d[\d.]+) \| (.*) \|$/gm));
    expect(rows.map(([, clause]) => clause)).toEqual(clauses);
    for (const [, clause, tests = ''] of rows) {
      const files = Array.from(tests.matchAll(/\]\((\.\.\/[\w./-]+)\): /g), ([, file = '']) => file);
      expect(files, clause).not.toEqual([]);
      expect(files.filter((file) => !existsSync(new URL(file, page)))).toEqual([]);
    }
  });

  it('finds the number of each clause, each once', () => {
    expect(clauses).toContain('4.4.43');
    expect(new Set(clauses).size).toBe(clauses.length);
    expect(
      readClauses(
        '**1.1** is one\n| **1.2** | is one\n1.3 is none, **1.4** inside is none, **bold** is none',
      ),
    ).toEqual(['1.1', '1.2']);
  });

  it.each([
    ['[1.1] one', ['1.1']],
    ['[1.1, 1.2] [1.4] several', ['1.1', '1.2', '1.4']],
    ["['1.1'] as a table quotes it", ['1.1']],
    ['[1.2] to [1.4] a range', ['1.2', '1.3', '1.4']],
    ['a [1] and (1.1) and 1.2 and [note 1.3]', []],
    ['suite [1.1] > test [1.2]', ['1.1', '1.2']],
  ])('finds in %j the clauses %j', (name, found) => {
    expect([...findNamedClauses(name, clauses)].sort()).toEqual(found);
  });

  it('shows the part of a title that follows the clause', () => {
    expect(getTitle('through a door > [1.1] says > why', '1.1', clauses)).toBe('says › why');
    expect(getTitle('[1.1] to [1.3] all', '1.2', clauses)).toBe('all');
  });

  it('finds clauses without a test and unknown clause numbers', () => {
    const tests = [
      { file: 'a.test.ts', name: 'x > [1.1] | y' },
      { file: 'a.test.ts', name: 'other door > [1.1] | y' },
      { file: 'b.test.ts', name: '[9.9] z' },
    ];
    const matrix = createMatrix(tests, ['1.1', '1.2']);
    expect(matrix.untested).toEqual(['1.2']);
    expect(matrix.strangers).toEqual(['9.9 in b.test.ts: [9.9] z']);
    expect(toMarkdown(matrix)).toContain('| 1.1 | [a.test.ts](../a.test.ts): \\| y |\n| 1.2 |  |\n');
  });

  it('does not count the example titles of its own tests', () => {
    const real = { file: 'a.test.ts', name: '[1.1] x' };
    const own = relative(root, fileURLToPath(import.meta.url)).replaceAll('\\', '/');
    expect(withoutOwnFixtures([real, { file: own, name: '[1.2] y' }])).toEqual([real]);
    expect(readFileSync(page, 'utf8')).not.toContain(own);
  });

  it('fails the run if a clause has no test, a title names an unknown clause, or the page is out of date', () => {
    const tests = [{ file: 'a.test.ts', name: '[1.1] x' }];
    const written = toMarkdown(createMatrix(tests, ['1.1']));
    const outOfDate = expect.stringContaining('CLAUSES.md is out of date');
    expect(checkPage(tests, ['1.1'], written)).toEqual([]);
    expect(checkPage(tests, ['1.1'], `${written}more`)).toEqual([outOfDate]);
    expect(checkPage(tests, ['1.2'], written)).toEqual([
      'No test names clause 1.2.',
      'Unknown clause 1.1 in a.test.ts: [1.1] x',
      outOfDate,
    ]);
  });
});
