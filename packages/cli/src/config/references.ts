import { type ConfigurationResource, type Reference, references } from '@orgchat/spec';
import type { Data } from '../resources/collect-data.ts';

export type Target = Reference['resource'];

/** Takes what stands in a reference and gives what is to stand there. */
export type MapReference = (target: Target, value: string, path: readonly (string | number)[]) => string;

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

/** The data with every reference replaced; where they stand is the contract's to say. Null refers to nothing. */
export function mapReferences(resource: ConfigurationResource, data: Data, map: MapReference): Data {
  return references[resource].reduce<Data>(
    (mapped, { path, resource: target }) =>
      walk(mapped, path, [], (value, place) => map(target, value, place)) as Data,
    data,
  );
}
