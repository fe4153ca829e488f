import { expect, test } from 'vitest';
import { findHit } from './find-hit.ts';

const part = (body: unknown) => ({ headers: {}, body, bodyBytes: 0, bodyKept: 'complete' as const });
const find = (request: unknown, response: unknown, search: string) =>
  findHit({ request: { ...part(request), query: '' }, response: part(response) }, search);

test('a hit has its place and the text around it', () => {
  expect(find({ name: 'Hours', text: 'Open until eight' }, {}, 'UNTIL eight')).toEqual({
    place: 'request body',
    before: '…s","text":"Open ',
    found: 'until eight',
    after: '"}',
  });
});

test('the answer is searched after the request, and a word after the whole search', () => {
  expect(find({}, { a: 'deep body' }, 'body deep')).toMatchObject({ place: 'answer body', found: 'body' });
  expect(find('x', 'y', 'nothing')).toBeUndefined();
  expect(find(null, null, ' ')).toBeUndefined();
});
