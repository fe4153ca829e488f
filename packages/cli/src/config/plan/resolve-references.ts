import { isSameLabel } from '@orgchat/sdk/internal';
import { singularNames } from '@orgchat/spec/resources/names';
import { isUuid } from '../../args/value-parsers.ts';
import type { Data } from '../../resources/fields.ts';
import { pluralName } from '../../resources/resource-names.ts';
import { isSimilarLabel } from '../../resources/similar-labels.ts';
import type { Problem } from '../file/problems.ts';
import type { FileRecord } from '../file/read-config.ts';
import { isId, mapReferences, type Target } from '../file/references.ts';
import type { Organization, RemoteRecord } from '../organization.ts';
import type { Matches } from './match-records.ts';
import { toStepReference } from './plan-schema.ts';

interface Unresolved {
  readonly problem: string;
  /** Whether no record has this name. */
  readonly missing?: true;
  /** The record that had this name before the file renamed it. */
  readonly renamedId?: string;
}

interface ResolvedData {
  readonly data: Data;
  readonly problems: readonly Problem[];
  /** References by a name that the file changed. */
  readonly renamed: readonly Problem[];
  readonly gone: readonly Problem[];
}

/** Replaces names by ids, or by a step reference if the plan creates the record. */
export class ReferenceResolver {
  constructor(
    private readonly organization: Organization,
    private readonly matches: Matches,
    /** The key of the step that creates a record. */
    private readonly getStepKey: (wanted: FileRecord) => string,
    /** Whether the plan deletes a record that is not in the file. */
    private readonly isDeleted: (remote: RemoteRecord) => boolean,
  ) {}

  /**
   * The API keeps a reference when its target is deleted, and accepts it from the record that has it (D62). So `gone` is
   * only a warning.
   */
  resolveData(wanted: FileRecord): ResolvedData {
    const missingTargets: Problem[] = [];
    const problems: Problem[] = [];
    const renamed: Problem[] = [];
    const data = mapReferences(wanted.resource, wanted.data, (target, value) => {
      const found = target === 'accounts' ? this.account(value) : this.record(target, value);
      if (typeof found === 'string') return found;
      const isKept = found.missing && this.alreadyRefers(wanted, target, value);
      const list = isKept ? missingTargets : found.renamedId === undefined ? problems : renamed;
      list.push({
        line: wanted.line,
        message: `${singularNames[wanted.resource]} "${wanted.label}": ${found.problem}`,
      });
      return found.renamedId ?? value;
    });
    return { data, problems, renamed, gone: missingTargets };
  }

  private alreadyRefers(wanted: FileRecord, target: Target, id: string): boolean {
    const remote = this.matches.remoteRecords.get(wanted);
    if (remote === undefined || !isId(target, id)) return false;
    const known: string[] = [];
    mapReferences(wanted.resource, remote.data, (of, value) => {
      if (of === target) known.push(value);
      return value;
    });
    return known.includes(id);
  }

  private account(value: string): string | Unresolved {
    const { accounts, accountsLimited } = this.organization;
    const found = accounts.filter(({ id, label }) =>
      isUuid(value) ? id === value : isSameLabel(label, value),
    );
    const [only, second] = found;
    if (only === undefined && accountsLimited) {
      if (isUuid(value)) return value;
      const problem = `no account named "${value}" among the first ${accounts.length}; the API lists no more, use an id`;
      return { problem, missing: true };
    }
    if (only === undefined)
      return {
        problem: `no account named "${value}"; accounts: ${accounts.map(({ label }) => label).join(', ')}`,
        missing: true,
      };
    return second === undefined ? only.id : { problem: `several accounts are named "${value}"; use an id` };
  }

  private record(target: Exclude<Target, 'accounts'>, value: string): string | Unresolved {
    const isNamed = (wanted: FileRecord): boolean =>
      wanted.resource === target &&
      (isId(target, value) ? wanted.id === value : isSameLabel(wanted.label, value));
    const inFile = [...this.matches.remoteRecords.keys()].filter(isNamed);
    const [wanted] = inFile;
    if (inFile.length > 1)
      return { problem: `several ${pluralName(target)} are named "${value}"; use an id` };
    if (wanted !== undefined)
      return this.matches.remoteRecords.get(wanted)?.id ?? toStepReference(this.getStepKey(wanted));
    const remote = this.organization.records[target].filter(({ id, label }) =>
      isId(target, value) ? id === value : isSameLabel(label, value),
    );
    const [only] = remote;
    // The API accepts a placeholder without a link (D62), so any id is accepted; the plan warns about it.
    if (only === undefined && target === 'links' && isId(target, value)) return value;
    if (only === undefined) {
      const labels = [...this.matches.remoteRecords.keys()].filter((one) => one.resource === target);
      const similar = [...labels, ...this.organization.records[target]].find(({ label }) =>
        isSimilarLabel(label, value),
      );
      const advice = similar === undefined ? '' : `; did you mean "${similar.label}"?`;
      return {
        problem: `no ${singularNames[target]} named "${value}" in the file or in the organization${advice}`,
        missing: true,
      };
    }
    if (remote.length > 1)
      return {
        problem: `the organization has ${remote.length} ${pluralName(target)} named "${value}"; use an id`,
      };
    const renamed = [...this.matches.remoteRecords].find(([, known]) => known === only)?.[0];
    if (renamed !== undefined && !isId(target, value))
      return {
        problem: `${singularNames[target]} "${value}" is called "${renamed.label}" in this file (line ${renamed.line})`,
        renamedId: only.id,
      };
    if (this.matches.unmanaged.some(({ id }) => id === only.id) && this.isDeleted(only)) {
      return { problem: `${singularNames[target]} "${value}" is not in the file and would be deleted` };
    }
    return only.id;
  }
}
