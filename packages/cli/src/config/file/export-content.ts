import { isDeepStrictEqual } from 'node:util';
import { isSameLabel } from '@orgchat/sdk/internal';
import type { ConfigurationResource } from '@orgchat/spec';
import type { Data } from '../../resources/fields.ts';
import type { Organization } from '../organization.ts';
import type { FileRecord } from './read-config.ts';
import { creationOrder, isId, mapReferences } from './references.ts';

/** The content of an exported file, by resource. The id of a record is its first field. */
export type ConfigContent = Partial<Record<ConfigurationResource, readonly Data[]>>;

/** A record that references can name. */
export interface NamedRecord {
  /** The id that references have: of a new record `step:KEY`. */
  readonly id: string;
  readonly label: string;
  /** What a reference is written as if the label is not unique. Default: the id. */
  readonly reference?: string;
}

/** A record to write. */
export interface WrittenRecord {
  /** Undefined if the organization does not have the record, and the file gives it no id. */
  readonly id: string | undefined;
  readonly data: Data;
  /** The record of the file. Its text is kept if it says the same. */
  readonly fileRecord?: FileRecord | undefined;
}

/** What a file is written from. */
export interface ContentSource extends Pick<Organization, 'accounts' | 'accountsLimited'> {
  readonly named: Readonly<Record<ConfigurationResource, readonly NamedRecord[]>>;
  readonly written: Partial<Record<ConfigurationResource, readonly WrittenRecord[]>>;
}

/** Creates a record for the file: its id, then its data with names in place of ids, if the name is unique. */
function createFileRecord(
  resource: ConfigurationResource,
  { id, data, fileRecord }: WrittenRecord,
  { named, accounts, accountsLimited }: ContentSource,
): Data {
  const withNames = mapReferences(resource, data, (target, value) => {
    const all: readonly NamedRecord[] = target === 'accounts' ? accounts : named[target];
    // An account that the API does not list may have the same name.
    if (target === 'accounts' && accountsLimited) return value;
    const found = all.find((one) => one.id === value);
    if (found === undefined) return value;
    const { label, reference = value } = found;
    return !isId(target, label) && all.filter((one) => isSameLabel(one.label, label)).length === 1
      ? label
      : reference;
  });
  const isAsInFile = fileRecord?.id === id && isDeepStrictEqual(fileRecord?.data, withNames);
  if (fileRecord !== undefined && isAsInFile) return fileRecord.source;
  return id === undefined ? withNames : { id, ...withNames };
}

export function createContent(source: ContentSource): ConfigContent {
  return Object.fromEntries(
    creationOrder.flatMap((resource) => {
      const records = source.written[resource];
      return records ? [[resource, records.map((one) => createFileRecord(resource, one, source))]] : [];
    }),
  );
}

/** The resources of an organization, as they are. */
export function toContentSource(
  { accounts, accountsLimited, records }: Organization,
  resources: readonly ConfigurationResource[],
): ContentSource {
  const written = Object.fromEntries(resources.map((resource) => [resource, records[resource]]));
  return { accounts, accountsLimited, named: records, written };
}
