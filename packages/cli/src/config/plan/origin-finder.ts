import type { ConfigurationResource } from '@orgchat/spec';
import type { Data } from '../../resources/fields.ts';
import { creationOrder } from '../creation-order.ts';
import type { FileRecord } from '../file/read-config.ts';
import { mapReferences } from '../file/references.ts';
import type { Organization } from '../organization.ts';
import type { BaseRecord, SyncBase } from '../sync-base.ts';
import { createFieldChanges } from './compare-data.ts';
import { findOrigin, type Origin } from './origin.ts';
import type { Plan, Step } from './plan-schema.ts';
import { toStepReference } from './step-reference.ts';

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
