import { expect, test } from 'vitest';
import { changesNothing } from './changes-nothing.ts';

const guard = { revision: 'r', label: 'a' };
const expected = { expectedRevision: 'r', expectedLabel: 'a' };
const upper = '6F1C2F0E-8A53-4B6E-9A55-0D6F3C1E7B21';
const lower = upper.toLowerCase();

const updates = (data: object, stored: object): boolean =>
  !changesNothing(
    { action: 'update-templates', id: lower, ...expected, data },
    { id: lower, ...guard, ...stored },
  );
const template = { name: 'Hello', text: 'Hi' };

test.each([
  ['white space around a stored text is removed', { text: ' Hi ' }],
  ['a stored text has another letter case', { text: 'HI' }],
])('a change is one if %s', (_what, stored) => {
  expect(updates(template, { ...template, ...stored })).toBe(true);
});

test('a text that looks like an id has a letter case', () => {
  expect(updates({ ...template, text: lower }, { ...template, text: upper })).toBe(true);
});

test('the same data change nothing', () => {
  expect(updates(template, { ...template, updatedAt: 'later' })).toBe(false);
});

test.each([
  ['notes', { notes: 'a' }, { notes: ' a ' }, true],
  ['the same notes', { notes: 'a' }, { notes: 'a' }, false],
  ['notes that are missing', { notes: null }, {}, false],
  ['one of two fields', { notes: 'a', status: 'unread' }, { notes: 'a', status: 'resolved' }, true],
])('of a friend: %s', (_what, data, stored, isChange) => {
  expect(changesNothing({ action: 'update-friend', ...expected, data }, { ...guard, ...stored })).toBe(
    !isChange,
  );
});

test('ids have no letter case, and the tags of a friend no order', () => {
  const set = (tagIds: readonly string[], stored: readonly string[]) =>
    changesNothing({ action: 'set-friend-tags', ...expected, tagIds }, { ...guard, tagIds: stored });
  expect(set([lower, 'b'], ['b', upper])).toBe(true);
  expect(set([lower], [upper, 'b'])).toBe(false);
  const link = { name: 'a', url: 'https://example.com', scenarioId: null };
  const change = { action: 'update-links', ...expected, data: { ...link, tagId: lower } };
  expect(changesNothing(change, { ...guard, ...link, tagId: upper })).toBe(true);
});

test.each([{ expectedRevision: 'other' }, { expectedLabel: 'other' }, { action: 'create-templates' }])(
  'a change with %j is sent',
  (other) => {
    const change = { action: 'update-templates', ...expected, data: template };
    expect(changesNothing(change, { ...guard, ...template })).toBe(true);
    expect(changesNothing({ ...change, ...other }, { ...guard, ...template })).toBe(false);
  },
);
