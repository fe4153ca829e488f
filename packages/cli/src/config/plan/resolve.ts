import { isUuid } from '../../parsers.ts';
import type { Data } from '../../resources/collect-data.ts';
import type { Problem } from '../file/problems.ts';
import type { Wanted } from '../file/read.ts';
import { isId, mapReferences, type Target } from '../file/references.ts';
import type { Organization } from '../organization.ts';
import type { Matches } from './match.ts';
import { pending } from './pending.ts';

/** Replaces names by ids, and by marks for records that the plan is to make. */
export class Resolver {
  readonly problems: Problem[] = [];

  constructor(
    private readonly organization: Organization,
    private readonly matches: Matches,
    /** The step that makes a record. */
    private readonly keyOf: (wanted: Wanted) => string,
    private readonly prune: boolean,
  ) {}

  data(wanted: Wanted): Data {
    return mapReferences(wanted.resource, wanted.data, (target, value) => {
      const found = target === 'accounts' ? this.account(value) : this.record(target, value);
      if (typeof found === 'string') return found;
      this.problems.push({
        line: wanted.line,
        message: `${wanted.resource} "${wanted.label}": ${found.problem}`,
      });
      return value;
    });
  }

  private account(value: string): string | { problem: string } {
    const { accounts } = this.organization;
    const found = accounts.filter(({ id, label }) => (isUuid(value) ? id === value : label === value));
    const [only, second] = found;
    if (only === undefined)
      return {
        problem: `there is no account "${value}"; there are ${accounts.map(({ label }) => label).join(', ')}`,
      };
    return second === undefined ? only.id : { problem: `several accounts are named "${value}"; give the id` };
  }

  private record(target: Exclude<Target, 'accounts'>, value: string): string | { problem: string } {
    const isNamed = (wanted: Wanted): boolean =>
      wanted.resource === target && (isId(target, value) ? wanted.id === value : wanted.label === value);
    const inFile = [...this.matches.of.keys()].filter(isNamed);
    const [wanted] = inFile;
    if (inFile.length > 1) return { problem: `several of ${target} are named "${value}"; give the id` };
    if (wanted !== undefined) return this.matches.of.get(wanted)?.id ?? pending(this.keyOf(wanted));
    const held = this.organization.records[target].filter(({ id, label }) =>
      isId(target, value) ? id === value : label === value,
    );
    const [only] = held;
    // The API takes a placeholder that names no link (D62), so an id passes; the plan warns of it.
    if (only === undefined && target === 'links' && isId(target, value)) return value;
    if (only === undefined)
      return { problem: `there is none of ${target} named "${value}", in the file or in the organization` };
    if (held.length > 1)
      return { problem: `the organization has ${held.length} of ${target} named "${value}"; give the id` };
    const renamed = [...this.matches.of].find(([, known]) => known === only)?.[0];
    if (renamed !== undefined && !isId(target, value))
      return {
        problem: `${target} "${value}" is called "${renamed.label}" in this file (line ${renamed.line})`,
      };
    if (this.prune && this.matches.others.some(({ id }) => id === only.id)) {
      return { problem: `${target} "${value}" is not in the file, and would be deleted` };
    }
    return only.id;
  }
}
