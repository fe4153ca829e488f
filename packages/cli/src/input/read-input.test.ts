import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CliError } from '../errors/cli-error.ts';
import { parseDocument, readText } from './read-input.ts';

test.each([
  ['JSON', '{"a": 1}', { a: 1 }],
  ['YAML', 'a: 1\nb: [x]', { a: 1, b: ['x'] }],
  ['YAML with an alias', 'a: &a [1]\nb: *a', { a: [1], b: [1] }],
])('%s is read', async (_what, text, value) => {
  expect(await parseDocument(text, 'file')).toEqual(value);
});

const many = (name: string, of: string): string =>
  `${name}: &${name} [${Array(9).fill(`*${of}`).join(', ')}]\n`;

test.each([
  ['nothing', ' \n'],
  ['broken JSON', '{"a": 1'],
  ['a key twice', 'a: 1\na: 2'],
  ['a key twice in JSON', '{"a": 1, "a": 1}'],
  ['several documents', 'a: 1\n---\nb: 2'],
  ['an alias of nothing', 'a: *b'],
  ['an unknown tag', 'a: !foo b'],
  ['a merge key', 'a: &a { b: 1 }\nc: { <<: *a }'],
  ['a merge key of YAML 1.1', '%YAML 1.1\n---\na: &a { b: 1 }\nc: { <<: *a }'],
  ['a merge key by its tag', 'a: &a { b: 1 }\nc: { !!merge x: *a }'],
  ['a list as a key', '? [a, b]\n: c'],
  ['an alias of itself', 'a: &a { b: *a }'],
  ['aliases of aliases without end', `a: &a [1]\n${many('b', 'a')}${many('c', 'b')}${many('d', 'c')}`],
])('%s is refused as input, and not as a mistake of this program', async (_what, text) => {
  const error = await parseDocument(text, '-').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CliError);
  expect(error).toMatchObject({
    code: 'INVALID_INPUT',
    exit: 3,
    message: expect.stringContaining('Standard input'),
  });
});

test.each([
  ['a: 1\n---\nb: 2', 'it contains several documents; only one is allowed at line 2, column 1'],
  [
    'c: { <<: { b: 1 } }',
    'merge keys (<<) are not supported; write the fields, or use an alias as a value at line 1, column 6',
  ],
  ['{"a": [{"b": 1}],\n"\\u0061": 2}', 'an object has the key "a" twice, again at line 2'],
  ['[{"b": "}", "c": "b", "b" : 2}]', 'an object has the key "b" twice, again at line 1'],
  ['{"\\\\\\"": {}, "\\\\\\"": 1}', 'an object has the key "\\\\\\"" twice, again at line 1'],
  ['? { a: 1 }\n: c', 'a key must be a text, not a list or an object at line 1, column 3'],
])('%j says what is wrong in words of YAML', async (text, why) => {
  await expect(parseDocument(text, 'f.yaml')).rejects.toMatchObject({
    message: `f.yaml is not valid JSON or YAML: ${why}`,
  });
});

test.each([
  '{"a": {"a": {"a": 1}}, "b": {"a": 1}, "A": 1}',
  '[{"a": 1}, {"a": 1}, "a", "a"]',
  '{"a": "a", "b": ":", "c": "\\"a\\":", "": "{\\"a\\""}',
])('%s has no key twice', async (text) => {
  expect(await parseDocument(text, 'f.json')).toEqual(JSON.parse(text));
});

test('a JSON text of any depth and size is read', async () => {
  const deep = `${'{"a":['.repeat(20_000)}${']}'.repeat(20_000)}`;
  await expect(parseDocument(deep, 'f.json')).resolves.toBeDefined();
  const wide = JSON.stringify({ a: '"\\'.repeat(500_000), b: [] });
  await expect(parseDocument(wide, 'f.json')).resolves.toEqual(JSON.parse(wide));
});

test.skipIf(process.platform === 'win32')(
  'a device that never ends is not read to the end of the memory',
  async () => {
    await expect(readText('/dev/zero')).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      exit: 3,
      message: 'Cannot read /dev/zero: it is larger than 256 MiB.',
    });
  },
);

describe('a file in another encoding than UTF-8 is refused, and its hint destroys no text', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orgchat-input-'));
  const name = join(folder, 'words.csv');
  afterAll(() => rmSync(folder, { recursive: true }));
  const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

  test.each([
    [
      'LATIN1',
      Buffer.from('name: café', 'latin1'),
      /is not UTF-8 text\.$/,
      /CP932 or LATIN1.*Check the result/,
    ],
    // 日本語
    [
      'CP932',
      Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]),
      /is not UTF-8 text\.$/,
      /CP932 or LATIN1.*Check/,
    ],
    ['UTF-16 with its mark', utf16('\ufeff語'), /is UTF-16, not/, /^Convert it: iconv -f UTF-16 -t UTF-8$/],
    [
      'big UTF-16 with its mark',
      utf16('\ufeff語').swap16(),
      /is UTF-16, not/,
      /^Convert it: iconv -f UTF-16 /,
    ],
    [
      'UTF-32',
      Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]),
      /is UTF-32, not/,
      /^Convert it: iconv -f UTF-32 /,
    ],
    ['UTF-16 without a mark', utf16('word\n一\n語\n'), /NUL bytes, like UTF-16LE\.$/, /iconv -f UTF-16LE /],
    ['big UTF-16 without a mark', utf16('word\n').swap16(), /like UTF-16BE\.$/, /iconv -f UTF-16BE .*Check/],
    [
      'a program',
      Buffer.from('\x7fELF\0\0\0\0\x01\0\0', 'latin1'),
      /is not text: it contains NUL/,
      /^Pass a file/,
    ],
  ])('%s', async (_what, bytes, message, hint) => {
    writeFileSync(name, bytes);
    const error: unknown = await readText(name).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      exit: 3,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  test('a byte order mark of UTF-8 is not part of the text', async () => {
    writeFileSync(name, '\ufeffname: café');
    expect(await readText(name)).toBe('name: café');
  });
});

test('JSON in place of a file name is recognized', async () => {
  await expect(readText('{"name":"VIP"}')).rejects.toMatchObject({
    message: 'A file name or "-" is required, but JSON was passed.',
    hint: expect.stringMatching(/^Write - instead/),
  });
  await expect(readText('nowhere.json')).rejects.toMatchObject({
    message: 'Cannot read nowhere.json: no such file.',
  });
});
