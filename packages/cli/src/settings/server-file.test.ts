import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../errors/exit-codes.ts';
import { readServer } from './server-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgchat-server-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const name = join(folder, 'server.yaml');
  writeFileSync(name, text);
  return name;
}

describe('a description of a server', () => {
  test.each([
    [
      'YAML',
      'server: 1\ncodes:\n  uncertain: [PENDING, IN_DOUBT]\nshapes:\n  one: /records/0\nlimits: { pageSize: 20 }\n',
    ],
    [
      'JSON',
      '{"server":1,"codes":{"uncertain":["PENDING","IN_DOUBT"]},"shapes":{"one":"/records/0"},"limits":{"pageSize":20}}',
    ],
  ])('is read from %s', async (_, text) => {
    expect(await readServer({ server: fileWith(text) }, {})).toEqual({
      server: 1,
      codes: { uncertain: ['PENDING', 'IN_DOUBT'] },
      shapes: { one: '/records/0' },
      limits: { pageSize: 20 },
    });
  });

  test('comes from ORGCHAT_SERVER unless --server is set; an empty variable counts as unset', async () => {
    const name = fileWith('{ server: 1, codes: { staleRevision: A } }');
    const other = join(folder, 'other.json');
    writeFileSync(other, '{"server":1,"codes":{"staleRevision":"B"}}');
    expect(await readServer({}, { ORGCHAT_SERVER: name })).toMatchObject({ codes: { staleRevision: 'A' } });
    expect(await readServer({ server: other }, { ORGCHAT_SERVER: name })).toMatchObject({
      codes: { staleRevision: 'B' },
    });
    expect(await readServer({}, { ORGCHAT_SERVER: '' })).toBeUndefined();
    expect(await readServer({}, {})).toBeUndefined();
  });

  const problems: [text: string, ...named: string[]][] = [
    ['codes: { staleRevision: A }', 'server must be 1', 'undefined'],
    ['[1]', 'the description must be an object', '[1]'],
    ['server: 2', 'format 2', 'Install a newer version'],
    ['server: 1\nother: 1', '"other"'],
    ['{ server: 1, codes: VERSION_CHANGED }', '"VERSION_CHANGED"'],
    ['{ server: 1, codes: { stale: A } }', '"stale"', 'staleRevision, inputConflict'],
    ['{"server":1,"codes":{"__proto__":"A"}}', '"__proto__"', 'staleRevision'],
    ['{ server: 1, codes: { staleRevision: 409 } }', 'codes.staleRevision', '409'],
    ['{ server: 1, codes: { staleRevision: [] } }', 'codes.staleRevision', '[]'],
    ['{ server: 1, codes: { staleRevision: "" } }', 'codes.staleRevision', '""'],
    [
      '{ server: 1, codes: { staleRevision: INPUT_CONFLICT } }',
      '"INPUT_CONFLICT"',
      'staleRevision and inputConflict',
    ],
    ['{ server: 1, shapes: { one: record } }', 'shapes.one must be a JSON pointer', '"record"'],
    ['{ server: 1, shapes: { resources: { accounts: { row: { data: false } } } } }', '"row"'],
    ['{ server: 1, limits: { pageSize: 0 } }', 'limits.pageSize', '0'],
    ['codes: [', 'not valid JSON or YAML'],
    ['', 'is empty'],
  ];
  test.each(problems)('%j is refused with 3, naming file and fault', async (text, ...named) => {
    const name = fileWith(text);
    const error = await readServer({ server: name }, {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ exit: exitCodes.usage });
    for (const part of [name, ...named]) expect((error as Error).message).toContain(part);
  });

  test('in a file that is not there is refused with 3', async () => {
    const name = join(folder, 'nowhere.yaml');
    await expect(readServer({ server: name }, {})).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      exit: exitCodes.usage,
      message: expect.stringContaining(name),
    });
  });
});
