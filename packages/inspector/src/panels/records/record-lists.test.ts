import { createMock } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { editableResources, listedResources } from '../../generated/control-api.ts';
import { changedFields, isCopied, toEditable, toEmptyLiteral, toListed, toRows } from './record-lists.ts';

const mock = createMock();
const listRecords = (resource: (typeof listedResources)[number]) =>
  mock.records({ resource, limit: 1000 }).records.map((fields) => toListed(resource, fields));

test.each(listedResources)('the demo has %s, each with its own id and a title', (resource) => {
  const records = listRecords(resource);
  expect(records.length).toBeGreaterThan(0);
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  expect(records.every(({ title }) => title !== '')).toBe(true);
});

test('a friend has the id that the control API takes', () => {
  const friend = listRecords('friends').find(({ title }) => title === 'Aiko Tanaka');
  expect(friend?.id).toMatch(/^[0-9a-f-]{36}\/U[0-9a-f]{32}$/);
});

test.each(editableResources)('what is offered to edit of %s is accepted as it is', (resource) => {
  const [record] = listRecords(resource);
  const data = toEditable(resource, record?.fields ?? {});
  expect(Object.keys(data).length).toBeGreaterThan(0);
  expect(mock.edit({ resource, id: record?.id ?? '', data })).toMatchObject(data);
});

test('only fields that differ are sent', () => {
  const before = { name: 'a', tags: ['x'], color: 'red' };
  expect(changedFields(before, { name: 'b', tags: ['x'], color: 'red' })).toEqual({ name: 'b' });
});

test('records are in the order of the moment that is shown, with its name', () => {
  const rows = toRows('friends', [
    { userId: 'U1', createdAt: '2025-03-05T00:00:00.000Z', updatedAt: '2025-03-05T00:00:00.000Z' },
    { userId: 'U2' },
    { userId: 'U3', createdAt: '2025-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
    { userId: 'U4', lastMessageAt: '2025-06-01T00:00:00.000Z' },
    { userId: 'U5', createdAt: '2025-03-05T00:00:00.000Z' },
  ]);
  expect(rows.map(({ shownId, changedWord }) => `${shownId} ${changedWord}`)).toEqual([
    'U3 updated',
    'U4 last message',
    'U1 updated',
    'U5 created',
    'U2 ',
  ]);
});

test.each([
  [null, 'null'],
  ['', '""'],
  [[], '[]'],
  ['none', undefined],
  [0, undefined],
  [false, undefined],
])('an empty value is shown as the API answers it: %j', (value, literal) => {
  expect(toEmptyLiteral(value)).toBe(literal);
});

test('ids and revisions can be copied', () => {
  expect(['id', 'userId', 'revision', 'name', 'createdAt'].filter((name) => isCopied(name, 'x'))).toEqual([
    'id',
    'userId',
    'revision',
  ]);
});
