import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Harness } from './harness.ts';

let cli: Harness;
beforeAll(async () => {
  cli = new Harness();
  await cli.start();
  const many = Array.from({ length: 120 }, (_, index) => ` word ${index} `);
  writeFileSync(join(cli.folder, 'many.txt'), [...many, '', 'word 3'].join('\n'));
}, 60_000);
afterAll(() => cli.end());
beforeEach(() => cli.control('POST', '/reset'));

const held = async (): Promise<number> => {
  const { keywords } = (await cli.control('GET', '/sites/demo-site/keywords')) as { keywords: unknown[] };
  return keywords.length;
};

test('add takes words, or lines of standard input, and says which were there', async () => {
  const typed = await cli.run([
    'keywords',
    'add',
    'demo-site',
    ' summer ',
    'spring sale',
    'summer',
    '--group',
    'g',
    '--json',
  ]);
  expect(typed.json).toEqual({ added: ['summer'], skipped: ['spring sale'] });
  const piped = await cli.run(['keywords', 'add', 'demo-site', '-', '--json'], { input: 'one\n\ntwo\n' });
  expect(piped.json).toEqual({ added: ['one', 'two'], skipped: [] });
});

test('import sends chunks of fifty and reports every word', async () => {
  const before = await held();
  const { json, code, stderr } = await cli.run(['keywords', 'import', 'demo-site', 'many.txt', '--json']);
  expect(code).toBe(0);
  expect(json.added).toHaveLength(120);
  expect(json).toMatchObject({ duplicates: 1, refused: [], unknown: [], notSent: [] });
  expect(stderr).toContain('keywords of demo-site: 3 of 3');
  expect(await held()).toBe(before + 120);
});

test('an unknown chunk is reported with 7, and never sent again by itself', async () => {
  await cli.control('POST', '/faults', { effect: 'lose-response', operation: 'addSeoKeywords', after: 1 });
  const first = await cli.run(['keywords', 'import', 'demo-site', 'many.txt', '--group', 'u', '--json']);
  expect([first.code, first.json.added?.length, first.json.unknown?.length]).toEqual([7, 70, 1]);
  const plain = await cli.run(['keywords', 'import', 'demo-site', 'many.txt', '--group', 'u', '--json']);
  expect([plain.code, plain.json.error?.code]).toEqual([3, 'IMPORT_UNFINISHED']);
  const resumed = await cli.run([
    'keywords',
    'import',
    'demo-site',
    'many.txt',
    '--group',
    'u',
    '--resume',
    '--json',
  ]);
  expect([resumed.code, resumed.json.unknown?.length]).toEqual([7, 1]);
  const again = await cli.run([
    'keywords',
    'import',
    'demo-site',
    'many.txt',
    '--group',
    'u',
    '--retry-unknown',
    '--json',
  ]);
  expect([again.code, again.json.skipped?.length]).toEqual([0, 50]);
});

test('a limit stops the import, and --resume goes on', async () => {
  await cli.control('POST', '/faults', {
    effect: 'respond',
    operation: 'addSeoKeywords',
    after: 1,
    status: 429,
    error: 'QUOTA_EXCEEDED',
    times: 9,
  });
  const first = await cli.run([
    'keywords',
    'import',
    'demo-site',
    'many.txt',
    '--group',
    'r',
    '--retries',
    '0',
    '--json',
  ]);
  expect([first.code, first.json.notSent?.length, first.json.error?.code]).toEqual([7, 70, 'QUOTA_EXCEEDED']);
  await cli.control('DELETE', '/faults');
  const rest = await cli.run([
    'keywords',
    'import',
    'demo-site',
    'many.txt',
    '--group',
    'r',
    '--resume',
    '--json',
  ]);
  expect([rest.code, rest.json.added?.length]).toEqual([0, 120]);
});

test('CSV by column, JSON lines by field', async () => {
  const csv = 'id;term\n1;"a; b"\n2;c\n';
  const one = await cli.run(
    ['keywords', 'import', 'demo-site', '-', '--input', 'csv', '--column', 'term', '--json'],
    { input: csv },
  );
  expect(one.json.added).toEqual(['a; b', 'c']);
  const lines = '"d"\n{"keyword":"e"}\n';
  const two = await cli.run(['keywords', 'import', 'demo-site', '-', '--input', 'jsonl', '--json'], {
    input: lines,
  });
  expect(two.json.added).toEqual(['d', 'e']);
});

test('what is too long is refused before anything is sent', async () => {
  const before = await held();
  const input = `fine\n${'x'.repeat(81)}\n`;
  const { code, json } = await cli.run(['keywords', 'import', 'demo-site', '-', '--json'], { input });
  expect([code, json.error?.code, json.error?.message]).toEqual([
    3,
    'INVALID_INPUT',
    expect.stringContaining('Line 2'),
  ]);
  expect(await held()).toBe(before);
  const rest = await cli.run(['keywords', 'import', 'demo-site', '-', '--skip-invalid', '--json'], { input });
  expect(rest.json).toMatchObject({ added: ['fine'], invalid: 1 });
});
