import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';
import { countHeld, countSent } from '../../test-support/sent-keywords.ts';

const cli = useCli({ inProcess: true });

test('add accepts arguments or lines of standard input, and reports existing keywords', async () => {
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

test('import reads CSV by column and JSON lines by field', async () => {
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

test('a keyword that is too long is rejected before anything is sent', async () => {
  const before = await countHeld(cli);
  const input = `fine\n${'x'.repeat(81)}\n`;
  const { code, json } = await cli.run(['keywords', 'import', 'demo-site', '-', '--json'], { input });
  expect([code, json.error?.code, json.error?.message]).toEqual([
    3,
    'INVALID_INPUT',
    expect.stringContaining('Line 2'),
  ]);
  expect(await countHeld(cli)).toBe(before);
  const rest = await cli.run(['keywords', 'import', 'demo-site', '-', '--skip-invalid', '--json'], { input });
  expect(rest.json).toMatchObject({ added: ['fine'], invalid: 1 });
});

test('a quote that is not closed ends the import with its line, also with --skip-invalid', async () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `${index === 4 ? '"' : ''}quote ${index}`);
  writeFileSync(join(cli.folder, 'quote.csv'), ['keyword', ...lines].join('\n'));
  const sent = await countSent(cli);
  for (const more of [[], ['--skip-invalid']]) {
    const { code, json } = await cli.run(['keywords', 'import', 'demo-site', 'quote.csv', '--json', ...more]);
    expect([code, json.error?.code, json.error?.line]).toEqual([3, 'INVALID_INPUT', 6]);
  }
  expect(await countSent(cli)).toBe(sent);
});

test('keywords with control characters are invalid, wherever they come from', async () => {
  const sent = await countSent(cli);
  const add = ['keywords', 'add', 'demo-site', '--json'];
  for (const { code, json } of [
    await cli.run([...add, 'fine', 'two\nlines']),
    await cli.run([...add, '-'], { input: 'fine\na\tb\n' }),
    await cli.run(['keywords', 'import', 'demo-site', '-', '--input', 'jsonl', '--json'], {
      input: '"fine"\n"two\\nlines"\n',
    }),
  ]) {
    expect([code, json.error?.code]).toEqual([3, 'INVALID_INPUT']);
    expect(json.error?.invalid).toMatchObject([{ line: 2, reason: expect.stringMatching(/U\+000[9A]\)$/) }]);
  }
  expect(await countSent(cli)).toBe(sent);
});

test('what is not a plain list is never added line by line, unless --input says that it is one', async () => {
  const json = '[\n  "summer",\n  "sale"\n]\n';
  writeFileSync(join(cli.folder, 'words.json'), json);
  writeFileSync(join(cli.folder, 'words.txt'), json);
  const sent = await countSent(cli);
  for (const [args, input] of [
    [['import', 'demo-site', 'words.json'], ''],
    [['import', 'demo-site', 'words.txt', '--skip-invalid'], ''],
    [['import', 'demo-site', '-'], '{"keyword":"b4"}\n'],
    [['add', 'demo-site', '-'], '["a","b"]'],
  ] as const) {
    const { code, json: answer } = await cli.run(['keywords', ...args, '--json'], { input });
    expect([code, answer.error?.code]).toEqual([3, 'INVALID_INPUT']);
    expect(answer.error?.hint).toContain('--input text');
  }
  expect(await countSent(cli)).toBe(sent);
  const given = ['keywords', 'import', 'demo-site', '-', '--input', 'text', '--json'];
  expect((await cli.run(given, { input: '[sale]\n' })).json.added).toEqual(['[sale]']);
});
