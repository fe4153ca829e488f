import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltCommand, builtCommand } from '../../packages/cli/test-support/build.ts';
import { fromSources } from '../test-support/from-sources.ts';

/*
 * `mock drill` with clients in Python, Go and TypeScript. The planted clients are each wrong in one way, and exactly the
 * rows of that mistake must show it.
 */

interface Row {
  readonly write: number;
  readonly fault: string;
  readonly verdict: 'ok' | 'lost' | 'doubled';
  readonly hit: boolean;
}

interface Report {
  readonly writes: number;
  readonly rows: readonly Row[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
let command: BuiltCommand;
let folder: string;

beforeAll(() => {
  command = builtCommand();
  folder = mkdtempSync(join(tmpdir(), 'drill-clients-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Drills a client. The delay is longer than the time that the clients wait for an answer. */
async function drill(words: readonly string[]): Promise<{ code: number; report: Report }> {
  const args = ['mock', 'drill', '--json', '--jobs', '4', '--delay', '2500ms', '--', ...words];
  const options = { cwd: root, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ATTEMPT_TIMEOUT: '2' } };
  const { stdout, code } = await promisify(execFile)(
    process.execPath,
    [command.entry, ...args],
    options,
  ).then(
    (done) => ({ ...done, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  return { code, report: JSON.parse(stdout) as Report };
}

/** The rows that are not ok, such as `1 kill doubled`. */
const findBad = ({ rows }: Report): string[] =>
  rows
    .filter(({ verdict }) => verdict !== 'ok')
    .map(({ write, fault, verdict }) => `${write} ${fault} ${verdict}`);

/** The rows of some faults, for each of the writes. */
const rowsOf = (writes: readonly number[], faults: readonly string[], verdict: string): string[] =>
  writes.flatMap((write) => faults.map((fault) => `${write} ${fault} ${verdict}`));

const planted = (bug: string) => drill(['python3', 'test/services/drill/planted_client.py', bug]);

/** Faults after which the change is applied but the client does not know it, in the order of the report. */
const applied = ['lose-response', 'cut-response', 'delay', 'uncertain-applied'];
const unanswered = ['drop-request', 'lose-response', 'cut-response', 'delay'];
const uncertain = ['uncertain-applied', 'uncertain-unapplied'];

describe('a planted client', () => {
  test('that is right passes in every row, and every fault hits', async () => {
    const { code, report } = await planted('none');
    expect([code, findBad(report)]).toEqual([0, []]);
    expect(report).toMatchObject({ writes: 3, rows: { length: 19 } });
    expect(report.rows.filter(({ hit }) => !hit)).toEqual([]);
  });

  test.each([
    ['new-id-on-retry', rowsOf([1, 2], applied, 'doubled')],
    ['gives-up', rowsOf([1, 2], [...unanswered, ...uncertain], 'lost')],
    ['id-per-process', rowsOf([1, 2, 3], ['kill'], 'doubled')],
    ['does-nothing-after-kill', rowsOf([1, 2], ['kill'], 'lost')],
    ['retries-keyword-write', rowsOf([3], unanswered, 'doubled')],
    ['resends-keywords-after-kill', rowsOf([3], ['kill'], 'doubled')],
    ['takes-409-for-done', rowsOf([1, 2], ['uncertain-unapplied'], 'lost')],
    ['new-id-after-409', rowsOf([1, 2], ['uncertain-applied'], 'doubled')],
    ['other-input-on-retry', rowsOf([1, 2], [...unanswered, ...uncertain], 'lost')],
    [
      'swallows-errors',
      [
        ...rowsOf([1, 2], ['drop-request', 'uncertain-unapplied'], 'lost'),
        ...rowsOf([3], ['drop-request'], 'lost'),
      ],
    ],
  ])('%s is caught by exactly its rows', async (bug, rows) => {
    const { code, report } = await planted(bug);
    expect([code, findBad(report)]).toEqual([5, rows]);
  });
});

describe('runs that differ', () => {
  test('a client with random names is judged by what does not differ', async () => {
    expect(await planted('random-names')).toMatchObject({ code: 0, report: { writes: 2 } });
    const { code, report } = await planted('random-names-doubled');
    expect([code, findBad(report)]).toEqual([5, rowsOf([1, 2], ['kill'], 'doubled')]);
  });

  test('a client with parallel writes is judged by what it left, in whatever order', async () => {
    const { code, report } = await planted('parallel');
    expect([code, findBad(report), report.writes]).toEqual([0, [], 4]);
    const wrong = await planted('new-id-on-retry-parallel');
    const doubled = findBad(wrong.report);
    expect(wrong.code).toBe(5);
    expect(doubled).toEqual(rowsOf([1, 2, 3, 4], applied, 'doubled'));
  });
});

describe('the examples', () => {
  test('in Python: the right one passes, the naive one does not', async () => {
    const right = await drill(['python3', 'examples/python/import_tags.py']);
    expect([right.code, findBad(right.report)]).toEqual([0, []]);
    const naive = await drill(['python3', 'examples/python/naive_import.py']);
    expect(naive.code).toBe(5);
    const changes = [...applied.filter((fault) => fault !== 'delay'), 'kill'];
    const keywords = ['drop-request', 'lose-response', 'cut-response', 'kill'];
    expect(findBad(naive.report)).toEqual([
      ...rowsOf([1, 2], changes, 'doubled'),
      ...rowsOf([3], keywords, 'doubled'),
    ]);
  });

  test('in Go passes', async () => {
    const program = join(folder, 'import-tags');
    execFileSync('go', ['build', '-o', program, 'main.go'], { cwd: join(root, 'examples/go') });
    const { code, report } = await drill([program]);
    expect([code, findBad(report), report.writes]).toEqual([0, [], 2]);
  });

  test('in TypeScript, with the SDK, passes', async () => {
    const { code, report } = await drill([process.execPath, ...fromSources, 'examples/drill/index.ts']);
    expect([code, findBad(report), report.writes]).toEqual([0, [], 2]);
  });
});
