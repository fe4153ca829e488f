import { toComparableId } from '@orgchat/sdk/internal';
import { type ConfigurationResource, type Reference, references } from '@orgchat/spec';
import { patterns } from '@orgchat/spec/patterns';
import { isUuid } from '../../args/value-parsers.ts';
import { toComparableIds } from '../../resources/equal-data.ts';
import type { Data } from '../../resources/fields.ts';

/** What data can refer to: records by a field with their id, and links also by a `{link:…}` in place of a URL. */
export type Target = Reference['resource'] | 'links';

/** Maps the value of a reference to a new value. */
export type MapReference = (target: Target, value: string, path: readonly (string | number)[]) => string;

/** Whether a reference is an id; else it is a name. */
export const isId = (target: Target, value: string): boolean =>
  target === 'links' ? isUuid(value) || patterns.linkId.test(value) : isUuid(value);

function walk(
  value: unknown,
  rest: readonly string[],
  done: readonly (string | number)[],
  map: (value: string, path: readonly (string | number)[]) => string,
): unknown {
  const [key, ...further] = rest;
  if (key === undefined) return typeof value === 'string' ? map(value, done) : value;
  if (key === '*') {
    if (!Array.isArray(value)) return value;
    return value.map((item: unknown, index) => walk(item, further, [...done, index], map));
  }
  if (typeof value !== 'object' || value === null || !(key in value)) return value;
  const part = (value as Data)[key];
  return { ...value, [key]: walk(part, further, [...done, key], map) };
}

/** A link by its name or id. No URL starts like this, so a name in it is never mistaken for a URL. */
export const placeholder = /^\{link:(\s*\S[\s\S]*)\}$/;

/** Every URL may be a link placeholder: in menus, cards and messages. */
function walkAddresses(
  value: unknown,
  done: readonly (string | number)[],
  map: (value: string, path: readonly (string | number)[]) => string,
): unknown {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => walkAddresses(item, [...done, index], map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => {
      const link = key === 'uri' && typeof part === 'string' ? placeholder.exec(part)?.[1] : undefined;
      const path = [...done, key];
      return [key, link === undefined ? walkAddresses(part, path, map) : `{link:${map(link, path)}}`];
    }),
  );
}

/** Replaces every reference in the data. The contract lists their paths. Null is not a reference. */
export function mapReferences(resource: ConfigurationResource, data: Data, map: MapReference): Data {
  const mapped = references[resource].reduce<Data>(
    (all, { path, resource: target }) =>
      walk(all, path, [], (value, valuePath) => map(target, value, valuePath)) as Data,
    data,
  );
  return walkAddresses(mapped, [], (value, valuePath) => map('links', value, valuePath)) as Data;
}

/**
 * Returns data with the ids that they refer to in the form in which they are compared. The contract allows the links of
 * placeholders only in this form.
 */
export const withComparableIds = (resource: ConfigurationResource, data: Data): Data =>
  toComparableIds(mapReferences(resource, data, (_target, value) => toComparableId(value))) as Data;

/** Ids of links named anywhere in the data, also within a text. */
export function findLinkIds(value: unknown): string[] {
  if (typeof value === 'string')
    return [...value.matchAll(/\{link:([^}]+)\}/g)].flatMap(([, id = '']) =>
      patterns.linkId.test(id) ? [id] : [],
    );
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(findLinkIds);
}

/** An object, so that the compiler reports a missing resource. */
const places = {
  tags: 1,
  templates: 2,
  'auto-replies': 3,
  scenarios: 4,
  forms: 5,
  'rich-menus': 6,
  links: 7,
  routes: 8,
  broadcasts: 9,
} as const satisfies Record<ConfigurationResource, number>;

/** Resources come after those they refer to; deletions use the reverse order. Rich menus also refer to each other. */
export const creationOrder = Object.keys(places) as ConfigurationResource[];
