import { describe, expect, it } from 'vitest';
import { resolveServer } from './server-description.ts';

const problem = (given: unknown): string | undefined => resolveServer(given).problem;

describe('the description of a server', () => {
  it('may say everything that the format has', () => {
    const server = {
      server: 1,
      contract: '0.1.0',
      checked: { at: '2026-11-25T10:00:00Z', organization: '9f3c', requests: 45 },
      codes: { staleRevision: 'version_mismatch', notFound: ['missing', 'gone'] },
      shapes: {
        list: { records: '/items', total: null, limited: '/limited', order: 'newest' },
        one: '/records/0',
        record: {
          revision: '/revision',
          label: '/label',
          data: '/data',
          rename: { createdAt: '/created_at' },
        },
        row: { guards: false, data: false },
        resources: { friends: { record: { data: '' } }, conversations: { list: { records: '/rows' } } },
        result: { create: ['id', 'revision'], delete: null, update: '/record' },
      },
      limits: { pageSize: 20, perMinute: 60, retryAfter: 'seconds' },
      behavior: {
        replayCompares: 'bytes',
        refusedIdIsFree: false,
        duplicateNames: { status: 409, code: 'name_taken' },
        unknownReference: 'accepted',
        onDelete: 'keep',
        trims: true,
        dates: 'ms',
      },
      unknown: ['uncertain', 'quotaExceeded'],
    };
    expect(problem(server)).toBeUndefined();
    expect(resolveServer(server).codes?.staleRevision).toEqual(['version_mismatch']);
  });

  it('may say nothing but its format, and is not required', () => {
    expect(problem({ server: 1 })).toBeUndefined();
    expect(problem(undefined)).toBeUndefined();
  });

  it.each<[unknown, RegExp]>([
    [null, /must be an object; got null/],
    [[], /must be an object/],
    ['server: 1', /must be an object/],
    [{}, /server must be 1, the format/],
    [{ server: '1' }, /server must be 1, the format.*got "1"/],
    [{ server: 2, other: 1 }, /format 2 is newer than format 1.*Install a newer version/],
    [{ server: 1, shape: {} }, /unknown key "shape"\. Known keys: server, contract/],
    [{ server: 1, shapes: { list: { record: '/x' } } }, /shapes\.list has an unknown key "record"/],
    [{ server: 1, shapes: { one: 'records/0' } }, /shapes\.one must be a JSON pointer.*got "records\/0"/],
    [{ server: 1, shapes: { one: '/a~2' } }, /shapes\.one must be a JSON pointer/],
    [
      { server: 1, shapes: { list: { total: false } } },
      /shapes\.list\.total must be a JSON pointer.*or null/,
    ],
    [
      { server: 1, shapes: { list: { order: 'random' } } },
      /shapes\.list\.order must be one of newest, oldest, unknown/,
    ],
    [{ server: 1, shapes: { row: { data: 'no' } } }, /shapes\.row\.data must be true or false/],
    [{ server: 1, shapes: { record: { rename: { color: 7 } } } }, /shapes\.record\.rename\.color must be/],
    [{ server: 1, shapes: { resources: { tag: {} } } }, /shapes\.resources has an unknown key "tag"/],
    [
      { server: 1, shapes: { resources: { accounts: { one: '/a' } } } },
      /resources\.accounts has an unknown key "one"/,
    ],
    [{ server: 1, shapes: { record: { revision: '' } } }, /shapes\.record\.revision must be .*part.*got ""/],
    [{ server: 1, shapes: { record: { label: '' } } }, /shapes\.record\.label must be .*part.*got ""/],
    [
      { server: 1, shapes: { resources: { tags: { record: { rename: { id: '' } } } } } },
      /shapes\.resources\.tags\.record\.rename\.id must be .*part.*got ""/,
    ],
    [{ server: 1, shapes: { list: { total: '' } } }, /shapes\.list\.total must be .*part.*null; got ""/],
    [{ server: 1, shapes: { list: { limited: '' } } }, /shapes\.list\.limited must be .*part.*null; got ""/],
    [{ server: 1, shapes: { result: { create: [7] } } }, /shapes\.result\.create must be/],
    [{ server: 1, limits: { pageSize: 0 } }, /limits\.pageSize must be a whole number/],
    [
      { server: 1, behavior: { duplicateNames: { status: 500, code: 'X' } } },
      /behavior\.duplicateNames must be accepted, or .*statuses 400, 404, 409/,
    ],
    [{ server: 1, behavior: { unknownReference: { status: 400 } } }, /behavior\.unknownReference must be/],
    [{ server: 1, behavior: { duplicateNames: { status: 400, code: 'X', more: 1 } } }, /must be accepted/],
    [{ server: 1, codes: { stale: 'X' } }, /codes: "stale" is not a known meaning/],
    [{ server: 1, constructor: {} }, /unknown key "constructor"/],
    [JSON.parse('{"server":1,"__proto__":{}}'), /unknown key "__proto__"/],
  ])('is refused: %j', (given, message) => {
    expect(problem(given)).toMatch(message);
  });
});
