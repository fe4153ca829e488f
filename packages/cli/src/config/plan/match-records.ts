import { groupByLabel, toComparableLabel } from '@orgchat/sdk/internal';
import type { ConfigurationResource } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import type { Problem } from '../file/problems.ts';
import type { ConfigFile, FileRecord } from '../file/read-config.ts';
import type { Organization, RemoteRecord } from '../organization.ts';

/** The record of the organization for each record of the file; undefined for new records. */
export interface Matches {
  readonly remoteRecords: ReadonlyMap<FileRecord, RemoteRecord | undefined>;
  /** Records of the file that several records of the organization match, with the problem to report. */
  readonly ambiguous: ReadonlyMap<FileRecord, Problem>;
  /** Records of the organization that are not in the file, of the resources that the file contains. */
  readonly unmanaged: readonly (RemoteRecord & { readonly resource: ConfigurationResource })[];
}

/**
 * Matches records by id; without an id, or if the organization does not have it, by label. An ambiguous label is a
 * problem.
 */
export function matchRecords(file: ConfigFile, organization: Organization): Matches {
  const remoteRecords = new Map<FileRecord, RemoteRecord | undefined>();
  const matched = new Set<RemoteRecord>();
  const ambiguous = new Map<FileRecord, Problem>();
  const take = (wanted: FileRecord, remote: RemoteRecord | undefined): void => {
    if (remote !== undefined) matched.add(remote);
    remoteRecords.set(wanted, remote);
  };
  const findById = (wanted: FileRecord): RemoteRecord | undefined =>
    organization.records[wanted.resource].find(({ id }) => id === wanted.id);
  const byLabel: FileRecord[] = [];
  for (const fileRecord of file.records) {
    const remote = fileRecord.id === undefined ? undefined : findById(fileRecord);
    if (remote === undefined) byLabel.push(fileRecord);
    else take(fileRecord, remote);
  }
  // A record that was matched by its id may get a new name from the file, so it cannot be matched by its label, too.
  const unmatched = new Map(
    file.resources.map((resource) => [
      resource,
      groupByLabel(
        organization.records[resource].filter((remote) => !matched.has(remote)),
        ({ label }) => label,
      ),
    ]),
  );
  const seen = new Map<string, FileRecord>();
  for (const fileRecord of byLabel) {
    const { resource, label, line } = fileRecord;
    const name = `${resource} ${toComparableLabel(label)}`;
    const duplicate = seen.get(name);
    seen.set(name, fileRecord);
    const sameLabel = unmatched.get(resource)?.get(toComparableLabel(label)) ?? [];
    if (duplicate !== undefined) {
      ambiguous.set(fileRecord, {
        line,
        message: `${singularNames[resource]} "${label}" is listed twice (first on line ${duplicate.line}) without an id`,
      });
    } else if (sameLabel.length > 1) {
      const ids = sameLabel.map(({ id }) => id).join(', ');
      ambiguous.set(fileRecord, {
        line,
        message: `${singularNames[resource]} "${label}": the organization has ${sameLabel.length} with this label; use an id: ${ids}`,
      });
    } else take(fileRecord, sameLabel[0]);
  }
  const unmanaged = file.resources.flatMap((resource) =>
    organization.records[resource]
      .filter((remote) => !matched.has(remote))
      .map((remote) => ({ ...remote, resource })),
  );
  return { remoteRecords, ambiguous, unmanaged };
}
