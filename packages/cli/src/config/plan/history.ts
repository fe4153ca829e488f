import type { ConfigurationResource } from '@orgchat/spec';
import type { Data } from '../../resources/collect-data.ts';
import type { Base, Known } from '../base.ts';
import type { Wanted } from '../file/read.ts';
import { mapReferences } from '../file/references.ts';
import { creationOrder } from '../order.ts';
import type { Organization } from '../organization.ts';
import { fieldsOf, type Origin, originOf } from './compare.ts';
import type { Plan, Step } from './document.ts';
import { pending } from './pending.ts';

/**
 * What the base says of a record. It is told as the plan will have it: with what refers to a record that is gone and
 * made again referring to the one that takes its place.
 */
export class History {
  private readonly present: Readonly<Record<ConfigurationResource, ReadonlySet<string>>>;
  private readonly successors = new Map<string, string>();

  constructor(
    private readonly base: Base | undefined,
    { records }: Organization,
  ) {
    const ids = creationOrder.map((resource) => [resource, new Set(records[resource].map(({ id }) => id))]);
    this.present = Object.fromEntries(ids) as Record<ConfigurationResource, ReadonlySet<string>>;
  }

  /** As both had it: nothing, where it is certain that they did not both have it. */
  before(resource: ConfigurationResource, id: string): Data | undefined {
    const known = this.base?.dataOf(resource, id);
    if (known !== undefined) return this.withSuccessors(resource, known);
    return this.base?.isWhole(resource) ? {} : undefined;
  }

  /** Notes that `key` makes a record that the organization does not have, so that others can be told of it. */
  makes(wanted: Wanted, key: string): void {
    const lost = this.lost(wanted);
    if (lost !== undefined) this.successors.set(lost.id, pending(key));
  }

  private lost({ resource, id, label }: Wanted): Pick<Known, 'id' | 'data'> | undefined {
    const own = id === undefined ? undefined : this.base?.dataOf(resource, id);
    return id !== undefined && own !== undefined
      ? { id, data: own }
      : this.base?.lost(resource, label, (known) => this.present[resource].has(known));
  }

  private withSuccessors(resource: ConfigurationResource, data: Data): Data {
    return mapReferences(resource, data, (_target, id) => this.successors.get(id) ?? id);
  }

  /** A record that the organization does not have: new in the file, or deleted in the organization. */
  ofNew(wanted: Wanted, data: Data): Pick<Step, 'origin' | 'fields' | 'formerId'> {
    const lost = this.lost(wanted);
    const origin =
      lost === undefined ? 'file' : originOf(this.withSuccessors(wanted.resource, lost.data), null, data);
    return {
      origin,
      fields: fieldsOf(data, origin, (value) => ({ from: null, to: value })),
      ...(lost !== undefined && { formerId: lost.id }),
    };
  }

  /** A record that the file does not have: taken out of it, or made by somebody else. */
  ofLeftOut(resource: ConfigurationResource, id: string, data: Data): Origin {
    const known = this.base?.dataOf(resource, id);
    if (known === undefined)
      return this.base?.isWhole(resource) && !this.base.isUnmanaged(id) ? 'drift' : 'unknown';
    return originOf(known, data, null);
  }

  gone(resources: readonly ConfigurationResource[]): Plan['gone'] {
    return resources
      .flatMap((resource) => this.base?.records(resource) ?? [])
      .filter(({ resource, id }) => !this.present[resource].has(id))
      .map(({ resource, id }) => ({ resource, id }));
  }
}
