import { expect, test } from 'vitest';
import { createEventParser } from './event-parser.ts';

test('events that arrive in pieces are complete', () => {
  const parse = createEventParser();
  expect(parse('retry: 1000\nid: a.1.0\n\nid: a.1.1\nevent: requ')).toEqual([
    { id: 'a.1.0', name: '', data: '' },
  ]);
  expect(parse('est\ndata: {"a":')).toEqual([]);
  expect(parse('1}\n')).toEqual([]);
  expect(parse('\nid: a.1.2\nevent: clock\ndata: {}\n\n')).toEqual([
    { id: 'a.1.1', name: 'request', data: '{"a":1}' },
    { id: 'a.1.2', name: 'clock', data: '{}' },
  ]);
});

test('a heartbeat before the first id is nothing', () => {
  expect(createEventParser()(':\n\n')).toEqual([]);
});

test('a heartbeat later only repeats where to continue', () => {
  const parse = createEventParser();
  parse('id: a.1.7\nevent: fault\ndata: {}\n\n');
  expect(parse(':\n\n')).toEqual([{ id: 'a.1.7', name: '', data: '' }]);
});

test('data of several lines and without a space is kept', () => {
  expect(createEventParser()('event: x\ndata:1\ndata:  2\n\n')).toEqual([
    { id: '', name: 'x', data: '1\n 2' },
  ]);
});
