import { createMock } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { editableResources, requestResources } from '../../generated/control-api.ts';
import type { WorldState } from '../../live/world-state.ts';
import { changedFields, listRecords, toEditable } from './record-lists.ts';

const mock = createMock();
const state = mock.state() as WorldState;

test.each(requestResources.filter((name) => name !== 'document'))(
  'the demo has %s, each with its own id',
  (resource) => {
    const records = listRecords(state, resource);
    expect(records.length).toBeGreaterThan(0);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    expect(records.every(({ title }) => title !== '')).toBe(true);
  },
);

test('records are listed without the lists in them', () => {
  const [friend] = listRecords(state, 'friends');
  expect(friend?.title).toBe('Aiko Tanaka');
  expect(friend?.fields).not.toHaveProperty('messages');
  expect(friend?.id).toMatch(/^[0-9a-f-]{36}\/U[0-9a-f]{32}$/);
});

test.each(editableResources)('what is offered to edit of %s is accepted as it is', (resource) => {
  const [record] = listRecords(state, resource);
  const data = toEditable(resource, record?.fields ?? {});
  expect(Object.keys(data).length).toBeGreaterThan(0);
  expect(mock.edit({ resource, id: record?.id ?? '', data })).toMatchObject(data);
});

test('only fields that differ are sent', () => {
  expect(
    changedFields({ name: 'a', tags: ['x'], color: 'red' }, { name: 'b', tags: ['x'], color: 'red' }),
  ).toEqual({
    name: 'b',
  });
});
