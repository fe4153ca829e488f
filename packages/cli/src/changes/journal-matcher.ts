import { isUuid } from '../args/value-parsers.ts';
import { CliError } from '../errors/cli-error.ts';
import type { ResourceName } from '../resources/fetch-records.ts';
import type { Lookup } from '../resources/lookup.ts';
import { matchesText, type ValueMatcher } from './is-subset.ts';

/**
 * Finds out whether a change in the journal is the change that a command describes by names, even if records were
 * deleted since. A name that no record has can match the id of a deleted record, but not of an existing one.
 */
export class JournalMatcher {
  /** Placeholder ids of names that no record has. */
  private readonly placeholders = new Map<string, ResourceName>();
  private readonly present = new Map<ResourceName, ReadonlySet<string>>();

  constructor(private readonly lookup: Lookup) {}

  /** As `Lookup.id`, with a placeholder id for a missing record. */
  readonly id = async (resource: ResourceName, nameOrId: string): Promise<string> => {
    try {
      return await this.lookup.id(resource, nameOrId);
    } catch (error) {
      if (!(error instanceof CliError && error.code === 'NOT_FOUND')) throw error;
      const all = await this.lookup.all(resource);
      this.present.set(resource, new Set(all.map(({ id }) => String(id))));
      const standIn = `ffffffff-ffff-4fff-bfff-${String(this.placeholders.size).padStart(12, '0')}`;
      this.placeholders.set(standIn, resource);
      return standIn;
    }
  };

  readonly isPlaceholder = (id: string): boolean => this.placeholders.has(id);

  readonly matches: ValueMatcher = (asked, known) => {
    const resource = typeof asked === 'string' ? this.placeholders.get(asked) : undefined;
    if (resource === undefined) return matchesText(asked, known);
    return typeof known === 'string' && isUuid(known) && this.present.get(resource)?.has(known) === false;
  };
}
