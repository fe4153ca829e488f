import { configurationData, configurationResources, labelFields } from '../src/index.ts';

/** What the SDK needs to know of each configuration resource at run time. */
export function sdkResources(): string {
  const dataFields = Object.fromEntries(
    configurationResources.map((resource) => [resource, Object.keys(configurationData[resource].shape)]),
  );
  return [
    '/** The data fields of each configuration resource: what an update sends of a record. */',
    `export const dataFields = ${JSON.stringify(dataFields, null, 2)} as const;`,
    '',
    '/** The data field that is the label of a record. */',
    `export const labelFields = ${JSON.stringify(labelFields, null, 2)} as const;`,
    '',
  ].join('\n');
}
