import { expect, test } from 'vitest';
import { toRemoteRecord } from './organization.ts';

const id = 'abcdef01-0000-4000-8abc-00000000000f';
const upper = id.toUpperCase();
const guards = { id: upper, revision: 'ABC', label: 'Menu' };

test('ids, references and placeholders are in the form in which they are compared, and texts as they are', () => {
  const action = { type: 'uri', uri: `{link:${upper}}`, label: 'Open' };
  const area = { x: 0, y: 0, width: 1, height: 1 };
  const menu = {
    ...{ name: `Menu ${upper}`, accountId: upper, chatBarText: 'Menu', size: 'large', template: 'two' },
    areas: [
      { ...area, action },
      { ...area, action: { type: 'switch', menuId: upper, label: 'More' } },
    ],
  };
  expect(toRemoteRecord('rich-menus', { ...guards, ...menu })).toEqual({
    id,
    revision: 'ABC',
    expectedLabel: 'Menu',
    label: `Menu ${upper}`,
    data: {
      ...menu,
      accountId: id,
      areas: [
        { ...area, action: { ...action, uri: `{link:${id}}` } },
        { ...area, action: { type: 'switch', menuId: id, label: 'More' } },
      ],
    },
  });
});
