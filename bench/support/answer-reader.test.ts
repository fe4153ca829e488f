import { expect, test } from 'vitest';
import { AnswerReader } from './answer-reader.ts';

const counted = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nContent-Length: 11\r\n\r\n{"ok":true}';
const chunked =
  'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"ok"\r\n6\r\n:true}\r\n0\r\n\r\n';
const empty = 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n';

/** The pieces after which an answer was complete. */
function ends(reader: AnswerReader, pieces: readonly string[]): number[] {
  return pieces.flatMap((piece, i) => (reader.isWhole(Buffer.from(piece)) ? [i] : []));
}

test.each([
  ['counted', counted],
  ['chunked', chunked],
  ['empty', empty],
  ['chunked and empty', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
])('the end of an answer that is %s is found wherever it is cut', (_name, answer) => {
  for (let cut = 1; cut < answer.length; cut++) {
    const reader = new AnswerReader();
    expect(ends(reader, [answer.slice(0, cut), answer.slice(cut), answer])).toEqual([1, 2]);
  }
  const reader = new AnswerReader();
  expect(ends(reader, [...answer])).toEqual([answer.length - 1]);
});

test('reports an answer that is not a success', () => {
  const reader = new AnswerReader();
  expect(reader.isWhole(Buffer.from(counted))).toBe(true);
  expect(reader.isSuccess).toBe(true);
  reader.isWhole(Buffer.from(counted.replace('200 OK', '429 Too Many Requests')));
  expect([reader.isSuccess, reader.status]).toEqual([false, '429']);
});
