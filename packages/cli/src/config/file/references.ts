import { type ConfigurationResource, type Reference, references } from '@orgchat/spec';
import { isUuid } from '../../parsers.ts';
import type { Data } from '../../resources/collect-data.ts';

/** What data can refer to: records by a field of their own, links also by a `{link:…}` in place of an address. */
export type Target = Reference['resource'] | 'links';

/** Takes what stands in a reference and gives what is to stand there. */
export type MapReference = (target: Target, value: string, path: readonly (string | number)[]) => string;

/** In a placeholder the contract takes any 36 hexadecimal digits and hyphens (5.12.4). */
const isLinkId = (text: string): boolean => /^[0-9a-f-]{36}$/.test(text);

/** Whether a reference is an id; else it is a name. */
export const isId = (target: Target, value: string): boolean =>
  target === 'links' ? isUuid(value) || isLinkId(value) : isUuid(value);

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

/** No other address begins like this, so that a name in it is never mistaken for one. */
const placeholder = /^\{link:([\s\S]+)\}$/;

/** Wherever an address stands it may be a placeholder: in menus, cards, and whatever holds messages. */
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

/** The data with every reference replaced; where they stand is the contract's to say. Null refers to nothing. */
export function mapReferences(resource: ConfigurationResource, data: Data, map: MapReference): Data {
  const mapped = references[resource].reduce<Data>(
    (all, { path, resource: target }) =>
      walk(all, path, [], (value, place) => map(target, value, place)) as Data,
    data,
  );
  return walkAddresses(mapped, [], (value, place) => map('links', value, place)) as Data;
}

/** Ids of links named anywhere in the data, also within a text. */
export function linkIdsIn(value: unknown): string[] {
  if (typeof value === 'string')
    return [...value.matchAll(/\{link:([0-9a-f-]{36})\}/g)].map(([, id]) => id ?? '');
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(linkIdsIn);
}
