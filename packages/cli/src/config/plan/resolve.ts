import { isUuid } from '../../parsers.ts';
import type { Data } from '../../resources/collect-data.ts';
import type { Problem } from '../file/problems.ts';
import type { Wanted } from '../file/read.ts';
import { isId, mapReferences, type Target } from '../file/references.ts';
import type { Organization } from '../organization.ts';
import type { Matches } from './match.ts';
import { pending } from './pending.ts';

interface Unresolved {
  readonly problem: string;
  /** Whether nothing at all is named so. */
  readonly missing?: true;
}

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

  /**
   * The API leaves a reference standing when its target goes, and refuses it in every later write. So `gone` is a
   * problem of the record only where the record is to be written.
   */
  data(wanted: Wanted): { readonly data: Data; readonly gone: readonly Problem[] } {
    const gone: Problem[] = [];
    const data = mapReferences(wanted.resource, wanted.data, (target, value) => {
      const found = target === 'accounts' ? this.account(value) : this.record(target, value);
      if (typeof found === 'string') return found;
      const stands = found.missing && this.alreadyRefers(wanted, target, value);
      (stands ? gone : this.problems).push({
        line: wanted.line,
        message: `${wanted.resource} "${wanted.label}": ${found.problem}`,
      });
      return value;
    });
    return { data, gone };
  }

  private alreadyRefers(wanted: Wanted, target: Target, id: string): boolean {
    const held = this.matches.of.get(wanted);
    if (held === undefined || !isId(target, id)) return false;
    const known: string[] = [];
    mapReferences(wanted.resource, held.data, (of, value) => {
      if (of === target) known.push(value);
      return value;
    });
    return known.includes(id);
  }

  private account(value: string): string | Unresolved {
    const { accounts, accountsLimited } = this.organization;
    const found = accounts.filter(({ id, label }) => (isUuid(value) ? id === value : label === value));
    const [only, second] = found;
    if (only === undefined && accountsLimited) {
      if (isUuid(value)) return value;
      const problem = `none of the first ${accounts.length} accounts is named "${value}", and the API lists no more; give its id`;
      return { problem, missing: true };
    }
    if (only === undefined)
      return {
        problem: `there is no account "${value}"; there are ${accounts.map(({ label }) => label).join(', ')}`,
        missing: true,
      };
    return second === undefined ? only.id : { problem: `several accounts are named "${value}"; give the id` };
  }

  private record(target: Exclude<Target, 'accounts'>, value: string): string | Unresolved {
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
      return {
        problem: `there is none of ${target} named "${value}", in the file or in the organization`,
        missing: true,
      };
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
