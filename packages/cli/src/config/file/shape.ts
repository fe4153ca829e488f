import { type ConfigurationResource, configurationData, labelFields } from '@orgchat/spec';
import { type Data, problemsOf } from '../../resources/collect-data.ts';
import { isId, mapReferences } from './references.ts';

/** What a record is called in the file and in the organization. */
export function labelOfData(resource: ConfigurationResource, data: Data): string {
  const label = data[labelFields[resource]];
  return typeof label === 'string' ? label.trim() : '';
}

/** A UUID that stands for a name while the contract's schema looks at the data. */
const standIn = (index: number): string => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;

export type Read = { readonly data: Data } | { readonly problems: readonly string[] };

/** Holds data that refers by name to the contract, and gives it as the API would keep it: trimmed, in lower case. */
export function readData(resource: ConfigurationResource, data: Data): Read {
  const names: string[] = [];
  const withIds = mapReferences(resource, data, (target, value) => {
    if (isId(target, value)) return value;
    names.push(value.trim());
    return standIn(names.length - 1);
  });
  const read = configurationData[resource].safeParse(withIds);
  if (!read.success) return { problems: problemsOf(read.error, withIds) };
  const namesById = new Map(names.map((name, index) => [standIn(index), name]));
  return { data: mapReferences(resource, read.data, (_target, value) => namesById.get(value) ?? value) };
}
