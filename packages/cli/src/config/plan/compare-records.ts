import type { ConfigurationResource } from '@orgchat/spec';
import type { Data } from '../../resources/fields.ts';
import { creationOrder } from '../creation-order.ts';
import type { Problem } from '../file/problems.ts';
import type { ConfigFile, FileRecord } from '../file/read-config.ts';
import type { Organization, RemoteRecord } from '../organization.ts';
import type { SyncBase } from '../sync-base.ts';
import { compareAndMerge, type FieldChange } from './compare-data.ts';
import { type Matches, matchRecords } from './match-records.ts';
import { type Origin, strongestOrigin } from './origin.ts';
import { OriginFinder } from './origin-finder.ts';
import { ReferenceResolver } from './resolve-references.ts';

/** A record of the file, compared with the organization and the base. */
export interface ComparedRecord {
  readonly fileRecord: FileRecord;
  /** The key of the step that would change the record; `step:KEY` stands for the id of a new one. */
  readonly key: string;
  /** The record of the organization; undefined if it has none. */
  readonly remote: RemoteRecord | undefined;
  /** The data of the file, with ids in place of names. */
  readonly data: Data;
  /** The data of the organization with what only the file changed; the data of the file if there is no such record. */
  readonly merged: Data;
  readonly fields: readonly FieldChange[];
  readonly origin: Origin;
  /** The former id of a record that was deleted in the organization. */
  readonly formerId?: string | undefined;
  /** References that cannot be resolved. */
  readonly problems: readonly Problem[];
  /** References by a name that the file changed: a problem only if the file is applied as it is. */
  readonly renamed: readonly Problem[];
  /** References to deleted records: a problem only if the record is sent. */
  readonly gone: readonly Problem[];
}

export interface Comparison {
  readonly matches: Matches;
  readonly origins: OriginFinder;
  /** The resources that the file contains. */
  readonly resources: readonly ConfigurationResource[];
  /** In the order in which records are created. */
  readonly records: readonly ComparedRecord[];
}

export const rank = (resource: ConfigurationResource): number => creationOrder.indexOf(resource);

/** Compares every record of the file with the organization. */
export function compareRecords(
  file: ConfigFile,
  organization: Organization,
  { base, prune }: { readonly base: SyncBase | undefined; readonly prune: boolean },
): Comparison {
  const matches = matchRecords(file, organization);
  const fileRecords = file.records.toSorted((one, another) => rank(one.resource) - rank(another.resource));
  const keys = new Map(fileRecords.map((wanted, index) => [wanted, String(index + 1)]));
  const getStepKey = (wanted: FileRecord): string => keys.get(wanted) ?? '';
  const resolver = new ReferenceResolver(organization, matches, getStepKey, prune);
  const origins = new OriginFinder(base, organization);
  for (const fileRecord of fileRecords) {
    if (matches.remoteRecords.get(fileRecord) === undefined)
      origins.recordSuccessor(fileRecord, getStepKey(fileRecord));
  }
  const records = fileRecords.map((fileRecord): ComparedRecord => {
    const { data, ...problems } = resolver.resolveData(fileRecord);
    const remote = matches.remoteRecords.get(fileRecord);
    const common = { fileRecord, key: getStepKey(fileRecord), remote, data, ...problems };
    if (remote === undefined) return { ...common, merged: data, ...origins.originOfNew(fileRecord, data) };
    const { fields, merged } = compareAndMerge(
      fileRecord.resource,
      remote.data,
      data,
      origins.getBaseData(fileRecord.resource, remote.id),
    );
    const origin = strongestOrigin(fields.map((field) => field.origin));
    return { ...common, merged, fields, origin };
  });
  return { matches, origins, resources: file.resources, records };
}
