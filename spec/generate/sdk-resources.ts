import { configurationData, labelFields } from '../src/index.ts';
import { friendData } from '../src/resources/data.ts';

/** The data fields of each resource and the one that is its label, which the SDK needs at run time. */
export function sdkResources(): string {
  const schemas = Object.entries({ ...configurationData, friends: friendData });
  const dataFields = Object.fromEntries(schemas.map(([name, { shape }]) => [name, Object.keys(shape)]));
  return [
    '/** The data fields of each resource that can be changed: what an update sends of a record. */',
    `export const dataFields = ${JSON.stringify(dataFields, null, 2)} as const;`,
    '/** The data field of each configuration resource that is its label. */',
    `export const labelFields = ${JSON.stringify(labelFields, null, 2)} as const;`,
    '',
  ].join('\n');
}
