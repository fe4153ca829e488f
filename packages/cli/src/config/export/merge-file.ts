import type { ConfigurationResource } from '@orgchat/spec';
import type { ContentSource, NamedRecord } from '../file/export-content.ts';
import type { ConfigFile } from '../file/read-config.ts';
import { creationOrder } from '../file/references.ts';
import type { Organization } from '../organization.ts';
import { compareRecords } from '../plan/compare-records.ts';
import type { FindName } from '../plan/format-change.ts';
import { type Matches, matchRecords } from '../plan/match-records.ts';
import type { Selection } from '../selection.ts';
import type { SyncBase } from '../sync-base.ts';
import { type FileChange, type GoneRecord, Merger } from './merger.ts';

/*
 * An export onto a file that was edited. As in a three-way merge, what only one side changed is taken from that side.
 * What cannot be merged is a conflict; there the organization counts, if the user agrees.
 */

/** A section that the file does not have, with its records in the organization. */
export interface MissingSection {
  readonly resource: ConfigurationResource;
  readonly records: number;
}

export interface Merge {
  readonly source: ContentSource;
  /** What only the file changed, and keeps. */
  readonly kept: readonly FileChange[];
  /** Sections that were removed from the file, and stay out. */
  readonly keptOut: readonly MissingSection[];
  readonly conflicts: readonly FileChange[];
  /** Sections that may have been removed from the file: it has no common state with the organization. */
  readonly missing: readonly MissingSection[];
  readonly findName: FindName;
  readonly selection: Selection;
  /** Records that neither side has any more, of those that were merged. */
  readonly gone: readonly GoneRecord[];
}

/** What a merge is made from. */
interface MergeInput {
  readonly file: ConfigFile;
  readonly organization: Organization;
  readonly base: SyncBase | undefined;
  /** The resources to export. */
  readonly resources: readonly ConfigurationResource[];
  /** Whether the user named them: then a section that the file does not have is added. */
  readonly isNamed: boolean;
  /** The values of `--only`: other records of the file stay as they are. */
  readonly only?: readonly string[] | undefined;
}

export function mergeFile(input: MergeInput): Merge {
  const { file, organization, base, resources, isNamed, only } = input;
  const unmatched = only && listUnmatched(file, organization, resources);
  const comparison = compareRecords(file, organization, { base, prune: false, only, unmatched });
  const absent = resources.filter((resource) => !file.resources.includes(resource));
  const sections = (isNamed ? [] : absent)
    .map((resource) => ({ resource, records: organization.records[resource].length }))
    .filter(({ records }) => records > 0);
  const keptOut = sections.filter(({ resource }) => base?.isWhole(resource));
  const exported = resources.filter((resource) => !keptOut.some((one) => one.resource === resource));
  const merger = new Merger(comparison, organization, base, exported);
  const { conflicts, records } = merger.merge();
  const named = {} as Record<ConfigurationResource, readonly NamedRecord[]>;
  for (const resource of creationOrder) named[resource] = merger.named(resource, records);
  const { accounts, accountsLimited } = organization;
  const written = Object.fromEntries(
    exported.map((resource) => [resource, records.filter((one) => one.resource === resource)]),
  );
  const names = new Map(
    [...accounts, ...Object.values(organization.records).flat(), ...Object.values(named).flat()].map(
      ({ id, label }) => [id, label],
    ),
  );
  return {
    source: { accounts, accountsLimited, named, written },
    kept: merger.kept(records),
    keptOut,
    conflicts,
    missing: sections.filter((one) => !keptOut.includes(one)),
    findName: (id) => names.get(id),
    selection: comparison.selection,
    gone: merger.gone(records),
  };
}

/** The records of the organization that the file does not have, of these resources too if it has no section for them. */
function listUnmatched(
  file: ConfigFile,
  organization: Organization,
  resources: readonly ConfigurationResource[],
): Matches['unmanaged'] {
  const sections = new Set([...file.resources, ...resources]);
  return matchRecords({ ...file, resources: [...sections] }, organization).unmanaged;
}
