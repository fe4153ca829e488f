import { isSameLabel, toComparableLabel } from '@orgchat/sdk/internal';
import type { ConfigurationResource } from '@orgchat/spec';
import { configurationResources, singularNames } from '@orgchat/spec/resources/names';
import { toShellWord } from '../args/shell-word.ts';
import { isUuid } from '../args/value-parsers.ts';
import { type CliError, notFoundError, usageError } from '../errors/cli-error.ts';
import { findReadings } from '../resources/list-readings.ts';
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

/** A comma between two records. Any other one is a part of a name. */
const separator = new RegExp(`,(?=\\s*(?:${configurationResources.join('|')})/)`);

/** Parses the values of `--only`, each with one record or several between commas. */
export function parseOnly(only: readonly string[]): RecordName[] {
  return only.flatMap((text) => text.split(separator)).map((text) => requireRecordName(text.trim()));
}

function requireRecordName(text: string): RecordName {
  const named = parseRecordName(text);
  if (named !== undefined) return named;
  throw usageError(
    `--only must be RESOURCE/NAME, got "${text}".`,
    `Pass a record such as --only tags/VIP. Resources: ${creationOrder.join(', ')}.`,
  );
}

function parseRecordName(text: string): RecordName | undefined {
  const cut = text.indexOf('/');
  const [resource, name] = [text.slice(0, cut), text.slice(cut + 1).trim()];
  return cut > 0 && name !== '' && isConfigurationResource(resource) ? { resource, name } : undefined;
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
  for (const one of readOnly(only, records)) {
    const fileRecord = findFileRecord(one, records);
    const remote = fileRecord === undefined ? findUnmatched(one, records) : records.matched.get(fileRecord);
    if (fileRecord !== undefined) ofFile.add(fileRecord);
    if (remote !== undefined) remoteIds.add(remote.id);
  }
  return {
    hasFileRecord: (record) => ofFile.has(record),
    hasRemote: ({ id }) => remoteIds.has(id),
  };
}

/**
 * Reads the values of `--only`. A record may have a name such as `A,tags/B`: a value is the names of existing records, in
 * one way only. If it is not, each comma before a resource separates two records.
 */
function readOnly(only: readonly string[], records: Records): RecordName[] {
  const keys = new Set<string>();
  let longest = 0;
  const add = ({ resource, id, label }: Pick<FileRecord, 'resource' | 'id' | 'label'>): void => {
    for (const name of id === undefined ? [label] : [label, id]) {
      keys.add(toKey({ resource, name }));
      // The decomposed form of a name is the longest.
      longest = Math.max(longest, `${resource}/${name.normalize('NFD')}`.length);
    }
  };
  for (const [fileRecord, remote] of records.matched) {
    add(fileRecord);
    if (remote) add({ ...remote, resource: fileRecord.resource });
  }
  for (const remote of records.unmatched) add(remote);
  const exists = (text: string): boolean => {
    const named = parseRecordName(text);
    return named !== undefined && keys.has(toKey(named));
  };
  return only.flatMap((text) => {
    const [reading, other] = findReadings(text, exists, longest);
    if (reading !== undefined && other !== undefined) throw severalReadingsError([reading, other]);
    return reading ? reading.map(requireRecordName) : parseOnly([text]);
  });
}

/** What names a record, in one form of several. */
const toKey = ({ resource, name }: RecordName): string =>
  `${resource}/${isUuid(name) ? name.toLowerCase() : toComparableLabel(name)}`;

function severalReadingsError(readings: readonly (readonly string[])[]): CliError {
  const shown = readings.map((names) => names.map((name) => `"${name}"`).join(' and '));
  const most = readings.toSorted((one, other) => other.length - one.length)[0] ?? [];
  const repeated = most.map((name) => `--only ${toShellWord(name)}`).join(' ');
  return usageError(
    `--only can be read in two ways: ${shown.join(', or ')}.`,
    `For several records, repeat the flag: ${repeated}. For a record whose name contains a comma, use its id.`,
    'AMBIGUOUS_NAME',
  );
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
    `Correct --only. Each of several records needs its resource: --only tags/A,tags/B. List ${pluralName(named.resource)}: orgchat ${named.resource} list`,
  );
}

function ambiguousError({ resource, name }: RecordName, ids: readonly string[]): CliError {
  return usageError(
    `Several ${pluralName(resource)} are named "${name}".`,
    `Use an id: ${ids.map((id) => `--only ${resource}/${id}`).join(', ')}`,
    'AMBIGUOUS_NAME',
  );
}
