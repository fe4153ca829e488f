import type { ProcessIdentity } from '@orgchat/atomic-files';
import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../journal.ts';
import { parseEntry } from './stored-entry.ts';

const entry: JournalEntry = {
  format: 1,
  operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
  target: 'https://api.example.com/api/v1#0123',
  kind: 'change',
  path: '/chat/changes',
  body: '{"change":{}}',
  state: 'pending',
  createdAt: '2026-04-01T12:00:00.000Z',
  updatedAt: '2026-04-01T12:00:00.000Z',
  deadline: '2026-04-01T12:01:00.000Z',
  attempts: 0,
};
const owner: ProcessIdentity = { host: 'here', boot: 'today', pid: 7, start: '12' };
const parse = (value: unknown) => parseEntry('a file', JSON.stringify(value));
const foreign = { location: 'a file', reason: 'foreign', message: 'the file is not a journal entry' };

describe('a file of a journal', () => {
  test.each(['pending', 'unknown', 'applied', 'refused', 'abandoned'] as const)('may be %s', (state) => {
    expect(parse({ entry: { ...entry, state } })).toEqual({ entry: { ...entry, state } });
  });

  test.each(['change', 'keywords'] as const)('may be about %s', (kind) => {
    expect(parse({ entry: { ...entry, kind } })).toEqual({ entry: { ...entry, kind } });
  });

  test('may be of format 2, with a token', () => {
    const later = { ...entry, format: 2, token: 'x', fingerprint: 'y' };
    expect(parse({ entry: later })).toEqual({ entry: later });
  });

  test('keeps fields of later versions', () => {
    expect(parse({ entry: { ...entry, note: 'x' } })).toEqual({ entry: { ...entry, note: 'x' } });
  });

  test.each(Object.keys(entry))('without %s is not an entry', (name) => {
    expect(parse({ entry: { ...entry, [name]: undefined } })).toEqual(foreign);
  });

  test.each([
    ...['operationId', 'target', 'path', 'body', 'createdAt', 'updatedAt', 'deadline'].map(
      (name) => [name, 1] as const,
    ),
    ['kind', 'read'],
    ['state', 'done'],
    ['attempts', '1'],
    ['body', '{"cut of'],
    ['body', 'null'],
    ['body', '[]'],
    ['format', 0],
    ['format', '2'],
    ['token', 1],
  ] as const)('whose %s is %j is not an entry', (name, value) => {
    expect(parse({ entry: { ...entry, [name]: value } })).toEqual(foreign);
  });

  test.each([null, 1, 'entry', [], [entry], {}, { entry: null }, { entry: [] }, entry])(
    'that contains %j is not an entry',
    (value) => {
      expect(parse(value)).toEqual(foreign);
    },
  );

  test('of a later version says which', () => {
    expect(parse({ entry: { ...entry, format: 3 } })).toEqual({
      location: 'a file',
      reason: 'format',
      message: 'the entry has format 3; this version reads formats 1 and 2',
    });
  });

  test.each(['', '{"entry":{"format":1', 'null,'])('%j is truncated', (text) => {
    expect(parseEntry('a file', text)).toEqual({
      location: 'a file',
      reason: 'truncated',
      message: 'the file is truncated or corrupted',
    });
  });

  test('names the process that holds the entry', () => {
    expect(parse({ entry, owner })).toEqual({ entry, owner });
  });

  test.each([
    null,
    'me',
    [owner],
    { ...owner, host: 1 },
    { ...owner, boot: undefined },
    { ...owner, pid: '7' },
    { ...owner, start: 12 },
  ])('whose holder is %j has no holder', (somebody) => {
    expect(parse({ entry, owner: somebody })).toEqual({ entry });
  });
});
