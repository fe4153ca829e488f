import fc from 'fast-check';
import { valid } from '../../../spec/test-support/bodies.ts';
import { document } from '../../../spec/test-support/document.ts';
import type { Json, RecordReference, Resource } from './resources.ts';

/* Random data of changes, from the schemas of the contract. What is done with them is up to the server and the model. */

/** Short enough for every text field. Some have white space to trim, some have characters of several code units. */
const words = ['a', ' b ', '日本', '😀 ', '\u3000c', 'Ab C', 'é\t'];
const sizes = {
  text: (min: number) => fc.constantFrom(...(min === 0 ? [''] : []), ...words),
  hasLongArrays: false,
};

const shapes: Readonly<Record<Resource, string>> = {
  tags: 'TagData',
  templates: 'TemplateData',
  'auto-replies': 'AutoReplyData',
  scenarios: 'ScenarioData',
  forms: 'FormDefinitionData',
  'rich-menus': 'RichMenuData',
  links: 'LinkData',
  routes: 'RouteData',
  broadcasts: 'BroadcastData',
};

/** Valid data of a resource. The records that they refer to are selected when they are sent. */
export const dataOf = (resource: Resource): fc.Arbitrary<Json> =>
  valid(document.components.schemas[shapes[resource]] ?? {}, sizes) as fc.Arbitrary<Json>;

/** Refers to a record by a number: one that exists, one that was deleted, or one that never existed. */
export type Pick = (kind: RecordReference[0], n: number) => string;

/** What a field with the id of a record refers to. */
const kinds: Readonly<Record<string, RecordReference[0]>> = {
  accountId: 'accounts',
  accountIds: 'accounts',
  tagId: 'tags',
  tagIds: 'tags',
  triggerTagId: 'tags',
  submitTagId: 'tags',
  scenarioId: 'scenarios',
  submitScenarioId: 'scenarios',
  menuId: 'rich-menus',
};

/** Data with the ids of records in place of random ones. */
export function withReferences<T>(value: T, pick: Pick, field = ''): T {
  const kind = kinds[field];
  if (typeof value === 'string' && kind)
    return pick(kind, Number.parseInt(value.slice(0, 8), 16) % 1000) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => withReferences(item, pick, field)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, item]) => [name, withReferences(item, pick, name)]);
  return Object.fromEntries(fields) as T;
}
