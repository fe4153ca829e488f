import type { ConfigurationResource } from '@orgchat/spec';
import type { Data } from '../../resources/fields.ts';
import type { Problem } from '../file/problems.ts';
import type { ConfigFile, FileRecord } from '../file/read-config.ts';
import { creationOrder, mapReferences } from '../file/references.ts';
import type { Organization, RemoteRecord } from '../organization.ts';
import { type Selection, selectRecords } from '../selection.ts';
import type { BaseRecord, SyncBase } from '../sync-base.ts';
import {
  compareAndMerge,
  createFieldChanges,
  type FieldChange,
  findOrigin,
  type Origin,
  strongestOrigin,
} from './compare-data.ts';
import { type Matches, matchRecords } from './match-records.ts';
import { type Plan, type Step, toStepReference } from './plan-schema.ts';
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
  /** References to deleted records, which the record keeps: a warning if it is sent. */
  readonly gone: readonly Problem[];
}

export interface Comparison {
  readonly matches: Matches;
  /** The records of `--only`. */
  readonly selection: Selection;
  readonly origins: OriginFinder;
  /** The resources that the file contains. */
  readonly resources: readonly ConfigurationResource[];
  /** In the order in which records are created. */
  readonly records: readonly ComparedRecord[];
}

export const rank = (resource: ConfigurationResource): number => creationOrder.indexOf(resource);

interface CompareOptions {
  readonly base: SyncBase | undefined;
  readonly prune: boolean;
  /** The values of `--only`. */
  readonly only?: readonly string[] | undefined;
  /** Records of the organization that `--only` can name besides those of the file. Default: those of its sections. */
  readonly unmatched?: Matches['unmanaged'] | undefined;
}

/** Compares every record of the file with the organization. */
export function compareRecords(
  file: ConfigFile,
  organization: Organization,
  { base, prune, only, ...options }: CompareOptions,
): Comparison {
  const matches = matchRecords(file, organization);
  const { unmatched = matches.unmanaged } = options;
  const place = `in ${file.name === '-' ? 'standard input' : file.name} or in the organization`;
  const selection = selectRecords(only, { place, matched: matches.remoteRecords, unmatched });
  const fileRecords = file.records.toSorted((one, another) => rank(one.resource) - rank(another.resource));
  const keys = new Map(fileRecords.map((wanted, index) => [wanted, String(index + 1)]));
  const getStepKey = (wanted: FileRecord): string => keys.get(wanted) ?? '';
  const resolver = new ReferenceResolver(
    organization,
    matches,
    getStepKey,
    (remote) => prune && selection.hasRemote(remote),
  );
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
  return { matches, selection, origins, resources: file.resources, records };
}

/**
 * Finds the origin of differences from the base. References to a deleted record that the plan creates again count as
 * references to the new record.
 */
export class OriginFinder {
  private readonly present: Readonly<Record<ConfigurationResource, ReadonlySet<string>>>;
  private readonly successors = new Map<string, string>();

  constructor(
    private readonly base: SyncBase | undefined,
    { records }: Organization,
  ) {
    const ids = creationOrder.map((resource) => [resource, new Set(records[resource].map(({ id }) => id))]);
    this.present = Object.fromEntries(ids) as Record<ConfigurationResource, ReadonlySet<string>>;
  }

  /** The data in the base: empty if it is certain that the record was not on both sides. */
  getBaseData(resource: ConfigurationResource, id: string): Data | undefined {
    const baseData = this.base?.getData(resource, id);
    if (baseData !== undefined) return this.withSuccessors(resource, baseData);
    return this.base?.isWhole(resource) ? {} : undefined;
  }

  /** Records that step `key` recreates a record, so that references to it can be compared. */
  recordSuccessor(wanted: FileRecord, key: string): void {
    const lost = this.findDeleted(wanted);
    if (lost !== undefined) this.successors.set(lost.id, toStepReference(key));
  }

  private findDeleted({ resource, id, label }: FileRecord): Pick<BaseRecord, 'id' | 'data'> | undefined {
    const own = id === undefined ? undefined : this.base?.getData(resource, id);
    return id !== undefined && own !== undefined
      ? { id, data: own }
      : this.base?.findDeleted(resource, label, (known) => this.present[resource].has(known));
  }

  private withSuccessors(resource: ConfigurationResource, data: Data): Data {
    return mapReferences(resource, data, (_target, id) => this.successors.get(id) ?? id);
  }

  /** A record that the organization does not have: new in the file, or deleted in the organization. */
  originOfNew(wanted: FileRecord, data: Data): Pick<Step, 'origin' | 'fields' | 'formerId'> {
    const lost = this.findDeleted(wanted);
    const origin =
      lost === undefined ? 'file' : findOrigin(this.withSuccessors(wanted.resource, lost.data), null, data);
    return {
      origin,
      fields: createFieldChanges(data, origin, (value) => ({ from: null, to: value })),
      ...(lost !== undefined && { formerId: lost.id }),
    };
  }

  /** The origin of a record that is not in the file: removed from it, or created outside it. */
  originOfRemoved(resource: ConfigurationResource, id: string, data: Data): Origin {
    const baseData = this.base?.getData(resource, id);
    if (baseData === undefined)
      return this.base?.isWhole(resource) && !this.base.wasUnmanagedAtFirstApply(id) ? 'drift' : 'unknown';
    return findOrigin(baseData, data, null);
  }

  findDeletedOnBothSides(resources: readonly ConfigurationResource[]): Plan['gone'] {
    return resources
      .flatMap((resource) => this.base?.records(resource) ?? [])
      .filter(({ resource, id }) => !this.present[resource].has(id))
      .map(({ resource, id }) => ({ resource, id }));
  }
}
