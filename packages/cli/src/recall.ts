import { Failure } from './failure.ts';
import type { Lookup } from './lookup.ts';
import { isUuid } from './parsers.ts';
import type { ResourceName } from './resources/reader.ts';
import { type Same, sameText } from './resources/subset.ts';

/**
 * Recognizes what a command names in a change it made earlier, also where that is gone by now. A name nothing bears
 * any more may have been the name of whatever is gone, and of nothing that is there.
 */
export class Recall {
  /** For each name that is gone, an id nobody has. */
  private readonly standIns = new Map<string, ResourceName>();
  private readonly present = new Map<ResourceName, ReadonlySet<string>>();

  constructor(private readonly lookup: Lookup) {}

  /** As `Lookup.id`, with a stand-in for what is not there. */
  readonly id = async (resource: ResourceName, nameOrId: string): Promise<string> => {
    try {
      return await this.lookup.id(resource, nameOrId);
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'NOT_FOUND')) throw error;
      const all = await this.lookup.all(resource);
      this.present.set(resource, new Set(all.map(({ id }) => String(id))));
      const standIn = `ffffffff-ffff-4fff-bfff-${String(this.standIns.size).padStart(12, '0')}`;
      this.standIns.set(standIn, resource);
      return standIn;
    }
  };

  readonly isStandIn = (id: string): boolean => this.standIns.has(id);

  readonly same: Same = (asked, known) => {
    const resource = typeof asked === 'string' ? this.standIns.get(asked) : undefined;
    if (resource === undefined) return sameText(asked, known);
    return typeof known === 'string' && isUuid(known) && this.present.get(resource)?.has(known) === false;
  };
}
