import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../errors/exit-codes.ts';
import { readCodes } from './server-codes.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgchat-codes-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const name = join(folder, 'codes.yaml');
  writeFileSync(name, text);
  return name;
}

describe('the codes of a server', () => {
  test.each([
    ['YAML', 'codes:\n  staleRevision: VERSION_CHANGED\n  uncertain: [PENDING, IN_DOUBT]\n'],
    ['JSON', '{"codes":{"staleRevision":"VERSION_CHANGED","uncertain":["PENDING","IN_DOUBT"]}}'],
  ])('are read from %s', async (_, text) => {
    expect(await readCodes({ codes: fileWith(text) }, {})).toEqual({
      staleRevision: 'VERSION_CHANGED',
      uncertain: ['PENDING', 'IN_DOUBT'],
    });
  });

  test('come from ORGCHAT_CODES unless --codes is set; an empty variable counts as unset', async () => {
    const name = fileWith('codes: { staleRevision: A }');
    const other = join(folder, 'other.json');
    writeFileSync(other, '{"codes":{"staleRevision":"B"}}');
    expect(await readCodes({}, { ORGCHAT_CODES: name })).toEqual({ staleRevision: 'A' });
    expect(await readCodes({ codes: other }, { ORGCHAT_CODES: name })).toEqual({ staleRevision: 'B' });
    expect(await readCodes({}, { ORGCHAT_CODES: '' })).toBeUndefined();
    expect(await readCodes({}, {})).toBeUndefined();
  });

  const problems: [text: string, ...named: string[]][] = [
    ['staleRevision: VERSION_CHANGED', 'has no "codes"'],
    ['codes: { staleRevision: A }\nother: 1', '"other"'],
    ['codes: VERSION_CHANGED', '"VERSION_CHANGED"'],
    ['codes: { stale: A }', '"stale"', 'staleRevision, inputConflict'],
    ['{"codes":{"__proto__":"A"}}', '"__proto__"', 'staleRevision'],
    ['codes: { staleRevision: 409 }', 'codes.staleRevision', '409'],
    ['codes: { staleRevision: [] }', 'codes.staleRevision', '[]'],
    ['codes: { staleRevision: "" }', 'codes.staleRevision', '""'],
    ['codes: { staleRevision: INPUT_CONFLICT }', '"INPUT_CONFLICT"', 'staleRevision and inputConflict'],
    ['codes: [', 'not valid JSON or YAML'],
    ['', 'is empty'],
  ];
  test.each(problems)('in %j are refused with 3, naming file and fault', async (text, ...named) => {
    const name = fileWith(text);
    const error = await readCodes({ codes: name }, {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ exit: exitCodes.usage });
    for (const part of [name, ...named]) expect((error as Error).message).toContain(part);
  });

  test('in a file that is not there are refused with 3', async () => {
    const name = join(folder, 'nowhere.yaml');
    await expect(readCodes({ codes: name }, {})).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      exit: exitCodes.usage,
      message: expect.stringContaining(name),
    });
  });
});
