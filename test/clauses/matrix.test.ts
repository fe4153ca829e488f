import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { clausesOf, matrixOf, namedIn, titleOf } from './clauses.ts';
import { markdownOf } from './markdown.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const clauses = clausesOf();

/** `npm run clauses -- --check`, in a process of its own: vitest cannot collect within a test. */
function check(): Promise<{ code: number; said: string }> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/VITEST|_REPORT/.test(name)),
  );
  return new Promise((done) => {
    const args = ['--import', 'tsx', 'test/clauses/run.ts', '--check'];
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : 1, said: `${stdout}${stderr}` });
    });
  });
}

describe('the matrix of clauses', () => {
  it('has a test for each clause, knows every clause that a title names, and is up to date', async () => {
    const { code, said } = await check();
    expect(said).toContain(`${clauses.length} of ${clauses.length} clauses have tests.`);
    expect(code, said).toBe(0);
  }, 120_000);

  it('knows the clauses by their numbers, each once', () => {
    expect(clauses).toContain('4.4.43');
    expect(new Set(clauses).size).toBe(clauses.length);
    expect(clausesOf('**1.1** is one, | **1.2** | is one, 1.3 is none, **bold** is none')).toEqual([
      '1.1',
      '1.2',
    ]);
  });

  it.each([
    ['[1.1] one', ['1.1']],
    ['[1.1, 1.2] [1.4] several', ['1.1', '1.2', '1.4']],
    ["['1.1'] as a table quotes it", ['1.1']],
    ['[1.2] to [1.4] a range', ['1.2', '1.3', '1.4']],
    ['a [1] and (1.1) and 1.2 and [note 1.3]', []],
    ['suite [1.1] > test [1.2]', ['1.1', '1.2']],
  ])('finds in %j the clauses %j', (name, found) => {
    expect([...namedIn(name, clauses)].sort()).toEqual(found);
  });

  it('shows a title from where it names the clause on', () => {
    expect(titleOf('through a door > [1.1] says > why', '1.1', clauses)).toBe('says › why');
    expect(titleOf('[1.1] to [1.3] all', '1.2', clauses)).toBe('all');
  });

  it('tells what has no test, and what no clause is', () => {
    const tests = [
      { file: 'a.test.ts', name: 'x > [1.1] | y' },
      { file: 'a.test.ts', name: 'other door > [1.1] | y' },
      { file: 'b.test.ts', name: '[9.9] z' },
    ];
    const matrix = matrixOf(tests, ['1.1', '1.2']);
    expect(matrix.untested).toEqual(['1.2']);
    expect(matrix.strangers).toEqual(['9.9 in b.test.ts: [9.9] z']);
    expect(markdownOf(matrix)).toContain('| 1.1 | [a.test.ts](../a.test.ts): \\| y |\n| 1.2 |  |\n');
  });
});
