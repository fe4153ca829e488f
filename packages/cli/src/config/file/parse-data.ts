import { type ConfigurationResource, configurationData, formatPath } from '@orgchat/spec';
import type { Data } from '../../resources/fields.ts';
import { describeProblems } from '../../resources/validate-data.ts';
import { isId, mapReferences } from './references.ts';

/** A UUID in place of a name while the schema validates the data. */
const createPlaceholderId = (index: number): string =>
  `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;

export type ParsedData = { readonly data: Data } | { readonly problems: readonly string[] };

/** Validates data whose references are names. Returns it as the API would store it: trimmed, with ids in lower case. */
export function parseData(resource: ConfigurationResource, data: Data): ParsedData {
  const names: string[] = [];
  const empty: string[] = [];
  const withIds = mapReferences(resource, data, (target, value, path) => {
    if (isId(target, value)) return value;
    if (value.trim() === '') empty.push(`${formatPath(path)} must not be empty: it takes a name or an id`);
    names.push(value.trim());
    return createPlaceholderId(names.length - 1);
  });
  const read = configurationData[resource].safeParse(withIds);
  if (!read.success) return { problems: [...empty, ...describeProblems(read.error, withIds)] };
  if (empty.length > 0) return { problems: empty };
  const namesById = new Map(names.map((name, index) => [createPlaceholderId(index), name]));
  return { data: mapReferences(resource, read.data, (_target, value) => namesById.get(value) ?? value) };
}
