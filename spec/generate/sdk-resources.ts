import { configurationData } from '../src/index.ts';
import { friendData } from '../src/resources/data.ts';

/** What the SDK needs to know of each resource that is changed by its data at run time. */
export function sdkResources(): string {
  const schemas = Object.entries({ ...configurationData, friends: friendData });
  const dataFields = Object.fromEntries(
    schemas.map(([name, { shape }]) => [name, Object.keys(shape).join(' ')]),
  );
  return [
    '/** The data fields of each resource that has some: what an update sends of a record, as words. */',
    `export const dataFields = ${JSON.stringify(dataFields, null, 2)} as const;`,
    '',
  ].join('\n');
}
