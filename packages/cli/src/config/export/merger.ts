import { getDataLabel } from '@orgchat/sdk/internal';
import type { ConfigurationResource } from '@orgchat/spec';
import type { NamedRecord } from '../file/export-content.ts';
import type { Organization, RemoteRecord } from '../organization.ts';
import type { Origin } from '../plan/compare-data.ts';
import type { ComparedRecord, Comparison } from '../plan/compare-records.ts';
import type { Step } from '../plan/plan-schema.ts';
import type { SyncBase } from '../sync-base.ts';
import {
  findClashes,
  findLostReferences,
  type MergedRecord,
  toKeptRecord,
  toNewRecord,
  toRemote,
} from './merged-records.ts';

/** A change of the file: kept, or in conflict with the organization. */
export interface FileChange extends Pick<Step, 'action' | 'resource' | 'label' | 'origin' | 'fields'> {
  readonly id: string | undefined;
  /** Why the two sides cannot be merged; undefined if the origin says it. */
  readonly problems?: readonly string[];
  /** Whether it is of a record that `--only` does not name, so that the organization's side cannot be taken. */
  readonly isOutside?: true;
}

/** A record that neither side has any more. */
export interface GoneRecord {
  readonly resource: ConfigurationResource;
  readonly id: string;
}

const isConflict = (origin: Origin): boolean => origin === 'both' || origin === 'unknown';

/** Merges the records of a file and of an organization. */
export class Merger {
  private readonly compared: readonly ComparedRecord[];
  /** Records that the file does not have, of the sections that it has. */
  private readonly onlyRemote: readonly (RemoteRecord & {
    resource: ConfigurationResource;
    origin: Origin;
  })[];

  constructor(
    private readonly comparison: Comparison,
    private readonly organization: Organization,
    private readonly base: SyncBase | undefined,
    private readonly exported: readonly ConfigurationResource[],
  ) {
    this.compared = comparison.records.filter(({ fileRecord }) => exported.includes(fileRecord.resource));
    this.onlyRemote = comparison.matches.unmanaged
      .filter((remote) => exported.includes(remote.resource) && comparison.selection.hasRemote(remote))
      .map((remote) => {
        const { resource, id, data } = remote;
        return { ...remote, origin: comparison.origins.originOfRemoved(resource, id, data) };
      });
  }

  /** Merges, and lists what the two sides cannot both have. */
  merge(): { readonly records: readonly MergedRecord[]; readonly conflicts: readonly FileChange[] } {
    const yielding = new Map<ComparedRecord, readonly string[]>();
    for (;;) {
      const records = this.build(yielding);
      const clashes = findClashes(records, this.others());
      if (clashes.size === 0)
        return { records, conflicts: [...this.conflicts(yielding), ...this.outsideConflicts(records)] };
      // What was refused to one record may be missing to another one.
      for (const [record, problems] of clashes) yielding.set(record, problems);
    }
  }

  /** The records of the merged file, with the organization's side of conflicts. */
  private build(yielding: ReadonlyMap<ComparedRecord, unknown>): MergedRecord[] {
    const ofFile = this.compared.flatMap((compared): MergedRecord[] => {
      const { fileRecord, remote, merged, problems } = compared;
      const { resource } = fileRecord;
      if (!this.isSelected(compared)) return [toKeptRecord(compared)];
      if (remote === undefined)
        return this.isKeptNew(compared) && !yielding.has(compared) ? [toNewRecord(compared)] : [];
      if (problems.length > 0 || yielding.has(compared))
        return [{ ...toRemote(resource, remote), fileRecord }];
      const label = getDataLabel(resource, merged);
      return [{ resource, id: remote.id, key: remote.id, label, data: merged, fileRecord, compared }];
    });
    const added = this.onlyRemote
      .filter(({ origin }) => origin !== 'file')
      .map(({ resource, ...remote }) => toRemote(resource, remote));
    const sections = this.exported
      .filter((resource) => !this.hasSection(resource))
      .flatMap((resource) =>
        this.organization.records[resource]
          .filter((remote) => this.comparison.selection.hasRemote(remote))
          .map((remote) => toRemote(resource, remote)),
      );
    return [...ofFile, ...added, ...sections];
  }

  private isSelected({ fileRecord }: ComparedRecord): boolean {
    return this.comparison.selection.hasFileRecord(fileRecord);
  }

  /** Records that stay as they are, but refer to one that is dropped. */
  private outsideConflicts(records: readonly MergedRecord[]): FileChange[] {
    const keys = new Set([...records, ...this.others()].map(({ key }) => key));
    return this.compared
      .filter((compared) => !this.isSelected(compared))
      .flatMap((compared): FileChange[] => {
        const problems = findLostReferences(toKeptRecord(compared), keys);
        return problems.length === 0 ? [] : [{ ...this.toFileChange(compared), problems, isOutside: true }];
      });
  }

  /** Records that the base has, and that neither the organization nor the merged file has any more. */
  gone(records: readonly MergedRecord[]): GoneRecord[] {
    const kept = new Set(records.map(({ fileRecord }) => fileRecord));
    return this.compared.flatMap(({ fileRecord, formerId }) =>
      formerId === undefined || kept.has(fileRecord) ? [] : [{ resource: fileRecord.resource, id: formerId }],
    );
  }

  private hasSection(resource: ConfigurationResource): boolean {
    return this.comparison.resources.includes(resource);
  }

  /** Whether only the file has a record because it was added there. */
  private isKeptNew(compared: ComparedRecord): boolean {
    return (
      !this.comparison.matches.ambiguous.has(compared.fileRecord) && this.originOfNew(compared) === 'file'
    );
  }

  /** Without a common state, a record may also have been deleted in the organization. */
  private originOfNew({ fileRecord, origin, formerId }: ComparedRecord): Origin {
    const isCertain = formerId !== undefined || this.base?.isWhole(fileRecord.resource) === true;
    return isCertain ? origin : 'unknown';
  }

  private conflicts(yielding: ReadonlyMap<ComparedRecord, readonly string[]>): FileChange[] {
    const { ambiguous } = this.comparison.matches;
    const selected = this.compared.filter((compared) => this.isSelected(compared));
    const ofFile = selected.flatMap((compared): FileChange[] => {
      const { fileRecord, remote, fields } = compared;
      const change = this.toFileChange(compared);
      const unclear = ambiguous.get(fileRecord);
      const unresolved = remote === undefined ? [] : compared.problems;
      const problems = [
        ...(unclear === undefined ? unresolved : [unclear]).map(({ message }) => message),
        ...(yielding.get(compared) ?? []),
      ];
      if (problems.length > 0) return [{ ...change, problems }];
      const isListed =
        remote === undefined ? isConflict(change.origin) : fields.some(({ origin }) => isConflict(origin));
      return isListed ? [change] : [];
    });
    const removed = this.onlyRemote.filter(({ origin }) => isConflict(origin)).map(toRemovedChange);
    return [...ofFile, ...removed];
  }

  private toFileChange(compared: ComparedRecord): FileChange {
    const { fileRecord, remote, fields } = compared;
    const { resource, label } = fileRecord;
    return remote === undefined
      ? {
          action: 'create',
          resource,
          label,
          id: fileRecord.id,
          origin: this.originOfNew(compared),
          fields: [...fields],
        }
      : { action: 'update', resource, label, id: remote.id, origin: compared.origin, fields: [...fields] };
  }

  /** What only the file changed and the merged file has. */
  kept(records: readonly MergedRecord[]): FileChange[] {
    const ofFile = records.flatMap(({ compared }): FileChange[] => {
      if (compared === undefined) return [];
      const change = this.toFileChange(compared);
      const fields = change.fields.filter(({ origin }) => origin === 'file');
      return fields.length > 0 ? [{ ...change, origin: 'file', fields }] : [];
    });
    return [...ofFile, ...this.onlyRemote.filter(({ origin }) => origin === 'file').map(toRemovedChange)];
  }

  /** What references can name: the records of the merged file, and those that stay out of it. */
  named(resource: ConfigurationResource, records: readonly MergedRecord[]): NamedRecord[] {
    const all = this.exported.includes(resource)
      ? records.filter((one) => one.resource === resource)
      : this.others().filter((one) => one.resource === resource);
    const inFile = all.map(({ key, id, label }) => ({ id: key, label, reference: id ?? label }));
    const known = new Set(inFile.map(({ id }) => id));
    return [...inFile, ...this.organization.records[resource].filter(({ id }) => !known.has(id))];
  }

  /** The records of the file that are not exported. */
  private others(): MergedRecord[] {
    return this.comparison.records
      .filter(({ fileRecord }) => !this.exported.includes(fileRecord.resource))
      .map((compared) => {
        const { fileRecord, remote } = compared;
        const { resource, label } = fileRecord;
        return remote === undefined ? toNewRecord(compared) : { ...toRemote(resource, remote), label };
      });
  }
}

const toRemovedChange = ({
  resource,
  id,
  label,
  origin,
}: RemoteRecord & { resource: ConfigurationResource; origin: Origin }): FileChange => ({
  action: 'delete',
  resource,
  label,
  id,
  origin,
  fields: [],
});
