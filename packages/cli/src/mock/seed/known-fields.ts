import { type ConfigurationResource, configurationData } from '@orgchat/spec';
import { isObject } from '@orgchat/spec/is-object';
import type { Data } from '../../resources/fields.ts';

/**
 * The data of a record without fields that the contract does not know, at any depth. A newer service may send some, and
 * a seed accepts none.
 */
export function keepKnownFields(resource: ConfigurationResource, data: Data): Data {
  const kept = structuredClone(data);
  const { error } = configurationData[resource].safeParse(kept);
  for (const issue of error?.issues ?? []) {
    if (issue.code !== 'unrecognized_keys') continue;
    const holder = issue.path.reduce<unknown>(
      (value, step) => (value as Readonly<Record<PropertyKey, unknown>>)[step],
      kept,
    );
    if (isObject(holder)) for (const key of issue.keys) delete (holder as Data)[key];
  }
  return kept;
}
