import { isSameLabel } from '@orgchat/sdk/internal';
import type { ConfigurationResource } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import { isUuid } from '../args/value-parsers.ts';
import { type CliError, notFoundError, usageError } from '../errors/cli-error.ts';
import { isConfigurationResource, pluralName } from '../resources/resource-names.ts';
import type { FileRecord } from './file/read-config.ts';
import { creationOrder } from './file/references.ts';
import type { RemoteRecord } from './organization.ts';

/** A record that `--only` names: `tags/VIP`. */
interface RecordName {
  readonly resource: ConfigurationResource;
  /** An id or a label. */
  readonly name: string;
}

/** The records that a command is limited to; all of them without `--only`. */
export interface Selection {
  hasFileRecord(record: FileRecord): boolean;
  hasRemote(record: Pick<RemoteRecord, 'id'>): boolean;
}

const everything: Selection = { hasFileRecord: () => true, hasRemote: () => true };

/** Parses the values of `--only`. */
export function parseOnly(only: readonly string[]): RecordName[] {
  return only.map((text) => {
    const cut = text.indexOf('/');
    const [resource, name] = [text.slice(0, cut), text.slice(cut + 1).trim()];
    if (cut > 0 && name !== '' && isConfigurationResource(resource)) return { resource, name };
    throw usageError(
      `--only must be RESOURCE/NAME, got "${text}".`,
      `Pass a record such as --only tags/VIP. Resources: ${creationOrder.join(', ')}.`,
    );
  });
}

/** What `--only` selects from. */
interface Records {
  /** Names the file in messages. */
  readonly place: string;
  /** Records of the file, with the record of the organization that each matches. */
  readonly matched: ReadonlyMap<FileRecord, RemoteRecord | undefined>;
  /** Records of the organization that the file does not have. */
  readonly unmatched: readonly (RemoteRecord & { readonly resource: ConfigurationResource })[];
}

/**
 * Finds the records that `--only` names: by what the file calls them, then by what the organization calls them, and then
 * among those that only the organization has. Throws if there is none, or more than one.
 */
export function selectRecords(only: readonly string[] | undefined, records: Records): Selection {
  if (only === undefined) return everything;
  const ofFile = new Set<FileRecord>();
  const remoteIds = new Set<string>();
  for (const named of parseOnly(only)) {
    const fileRecord = findFileRecord(named, records);
    const remote = fileRecord === undefined ? findUnmatched(named, records) : records.matched.get(fileRecord);
    if (fileRecord !== undefined) ofFile.add(fileRecord);
    if (remote !== undefined) remoteIds.add(remote.id);
  }
  return {
    hasFileRecord: (record) => ofFile.has(record),
    hasRemote: ({ id }) => remoteIds.has(id),
  };
}

const hasName = ({ name }: RecordName, id: string | undefined, label: string): boolean =>
  isUuid(name) ? id === name.toLowerCase() : isSameLabel(label, name);

function findFileRecord(named: RecordName, { matched }: Records): FileRecord | undefined {
  const ofResource = [...matched].filter(([{ resource }]) => resource === named.resource);
  const inFile = ofResource.filter(([{ id, label }]) => hasName(named, id, label));
  const found =
    inFile.length > 0
      ? inFile
      : ofResource.filter(([, remote]) => remote !== undefined && hasName(named, remote.id, remote.label));
  if (found.length > 1)
    throw ambiguousError(
      named,
      found.flatMap(([{ id }]) => id ?? []),
    );
  return found[0]?.[0];
}

function findUnmatched(named: RecordName, { unmatched, place }: Records): RemoteRecord {
  const found = unmatched.filter(
    ({ resource, id, label }) => resource === named.resource && hasName(named, id, label),
  );
  const [only, another] = found;
  if (another !== undefined)
    throw ambiguousError(
      named,
      found.map(({ id }) => id),
    );
  if (only !== undefined) return only;
  throw notFoundError(
    `No ${singularNames[named.resource]} named "${named.name}" ${place}.`,
    `Correct --only. List ${pluralName(named.resource)}: orgchat ${named.resource} list`,
  );
}

function ambiguousError({ resource, name }: RecordName, ids: readonly string[]): CliError {
  return usageError(
    `Several ${pluralName(resource)} are named "${name}".`,
    `Use an id: ${ids.map((id) => `--only ${resource}/${id}`).join(', ')}`,
    'AMBIGUOUS_NAME',
  );
}
