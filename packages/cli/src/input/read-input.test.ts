import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
  ['several documents', 'a: 1\n---\nb: 2'],
  ['an alias of nothing', 'a: *b'],
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

test('a file in another encoding than UTF-8 is refused, and not sent with wrong characters', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orgchat-input-'));
  const name = join(folder, 'tags.yaml');
  try {
    writeFileSync(name, Buffer.from('name: café', 'latin1'));
    await expect(readText(name)).rejects.toMatchObject({ code: 'INVALID_INPUT', exit: 3 });
    writeFileSync(name, '\ufeffname: café');
    expect(await readText(name)).toBe('name: café');
  } finally {
    rmSync(folder, { recursive: true });
  }
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
