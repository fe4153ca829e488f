import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { limits } from '../src/limits.ts';
import { document, type Schema } from '../test-support/document.ts';
import { findUnstated } from '../test-support/unstated.ts';

const text = readFileSync(new URL('../SPECIFICATION.md', import.meta.url), 'utf8');

/** Limits that the text states in words. */
const inWords: readonly string[] = ['rateWindowMs'];

const unstated = findUnstated(document, text);

test('the text states each field, value and limit of the schemas', () => {
  expect(unstated).toEqual([]);
});

test('the text has the number of each limit', () => {
  const missing = Object.entries(limits).filter(([name, limit]) => {
    const numbers = typeof limit === 'number' ? [limit] : Object.values(limit);
    return !inWords.includes(name) && !numbers.every((number) => new RegExp(`\\b${number}\\b`).test(text));
  });
  expect(missing).toEqual([]);
});

describe('finds what is planted in a schema and not in the text', () => {
  type Properties = Record<string, Schema>;
  const plant = (shape: string, change: (properties: Properties) => Properties): string[] => {
    const { schemas } = document.components;
    const { [shape]: schema } = schemas;
    const changed = { ...schema, properties: change({ ...schema?.properties }) };
    const components = { ...document.components, schemas: { ...schemas, [shape]: changed } };
    const found = findUnstated({ ...document, components }, text);
    return found.filter((problem) => !unstated.includes(problem));
  };
  const added = { type: 'string', maxLength: 9 };

  test.each([
    ['TagData', 'emoji', '5.1'],
    ['FriendData', 'nickname', '5.10'],
    ['BroadcastData', 'template', '5.9'],
    ['ScenarioStep', 'note', '5.4'],
    ['Card', 'subtitle', '5.11'],
    ['CardUriAction', 'text', '5.11'],
    ['RichMenuDesign', 'font', '5.6'],
    ['ReadConversations', 'search', '4.3'],
    ['SetFriendTags', 'data', '4.4'],
    ['StudioDocumentSummary', 'body', '4.5'],
    ['Account', 'seats', '4.1'],
  ])('a field: %s.%s', (shape, field, section) => {
    const found = plant(shape, (properties) => ({ ...properties, [field]: added }));
    expect(found).toEqual([`${shape}.${field}: section ${section} has no row about it`]);
  });

  test.each<[string, string, Schema, string]>([
    ['TagData', 'color', { enum: ['blue', 'teal'] }, 'the value `teal`'],
    ['ScenarioStep', 'timingMode', { enum: ['relative', 'never'] }, 'the value `never`'],
    ['TagData', 'name', { type: 'string', minLength: 1, maxLength: 120 }, 'the limit 120'],
    ['BroadcastData', 'tagIds', { type: 'array', maxItems: 60, items: {} }, 'the limit 60'],
    ['ReadFriends', 'limit', { type: 'integer', minimum: 2, maximum: 50 }, 'the limit 2'],
    ['FormField', 'options', { type: 'array', items: { type: 'string', maxLength: 99 } }, 'the limit 99'],
    ['RichMenuData', 'areas', { anyOf: [{ type: 'array', minItems: 3 }] }, 'the limit 3'],
  ])('a value or limit: %s.%s', (shape, field, schema, what) => {
    const found = plant(shape, (properties) => ({ ...properties, [field]: schema }));
    expect(found).toEqual([`${shape}.${field}: its row does not have ${what}`]);
  });

  test('a variant', () => {
    const resource = { enum: ['widgets'] };
    const found = plant('ReadTags', (properties) => ({ ...properties, resource }));
    expect(found).toContain('ReadTags.resource: section 4.3 has no `widgets`');
  });

  test('a field of a shape of its own', () => {
    const found = plant('TagData', (properties) => ({
      ...properties,
      icon: { properties: { shade: added } },
    }));
    expect(found).toEqual(['TagData.icon: section 5.1 has no row about it']);
  });
});
