import type { ConfigurationResource } from '@orgchat/spec';
import type { Data } from '../../resources/collect-data.ts';
import type { Base } from '../base.ts';
import type { Wanted } from '../file/read.ts';
import { creationOrder } from '../order.ts';
import type { Organization } from '../organization.ts';
import { fieldsOf, type Origin, originOf } from './compare.ts';
import type { Plan, Step } from './document.ts';

/** What the base says of a record. */
export class History {
  private readonly present: Readonly<Record<ConfigurationResource, ReadonlySet<string>>>;

  constructor(
    private readonly base: Base | undefined,
    { records }: Organization,
  ) {
    const ids = creationOrder.map((resource) => [resource, new Set(records[resource].map(({ id }) => id))]);
    this.present = Object.fromEntries(ids) as Record<ConfigurationResource, ReadonlySet<string>>;
  }

  /** As both had it: nothing, where it is certain that they did not both have it. */
  before(resource: ConfigurationResource, id: string): Data | undefined {
    return this.base?.dataOf(resource, id) ?? (this.base?.isWhole(resource) ? {} : undefined);
  }

  /** A record that the organization does not have: new in the file, or deleted in the organization. */
  ofNew({ resource, id, label }: Wanted, data: Data): Pick<Step, 'origin' | 'fields' | 'formerId'> {
    const own = id === undefined ? undefined : this.base?.dataOf(resource, id);
    const lost =
      id !== undefined && own !== undefined
        ? { id, data: own }
        : this.base?.lost(resource, label, (known) => this.present[resource].has(known));
    const origin = lost === undefined ? 'file' : originOf(lost.data, null, data);
    return {
      origin,
      fields: fieldsOf(data, origin, (value) => ({ from: null, to: value })),
      ...(lost !== undefined && { formerId: lost.id }),
    };
  }

  /** A record that the file does not have: taken out of it, or made by somebody else. */
  ofLeftOut(resource: ConfigurationResource, id: string, data: Data): Origin {
    const known = this.base?.dataOf(resource, id);
    if (known === undefined) return this.base?.isWhole(resource) ? 'drift' : 'unknown';
    return originOf(known, data, null);
  }

  gone(resources: readonly ConfigurationResource[]): Plan['gone'] {
    return resources
      .flatMap((resource) => this.base?.records(resource) ?? [])
      .filter(({ resource, id }) => !this.present[resource].has(id))
      .map(({ resource, id }) => ({ resource, id }));
  }
}
