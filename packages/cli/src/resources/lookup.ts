import type { CallOptions, OrgChatClient, Tag } from '@orgchat/sdk';
import {
  createRowReader,
  getChatApi,
  isSameLabel,
  labelFields,
  toComparableId,
  toComparableLabel,
} from '@orgchat/sdk/internal';
import { configurationResources, singularNames } from '@orgchat/spec/resources/names';
import { isUuid } from '../args/value-parsers.ts';
import type { Context } from '../context.ts';
import { type CliError, notFoundError, usageError } from '../errors/cli-error.ts';
import type { Row } from '../output/output.ts';
import { isBounded, listPages, type ResourceName, readBounded, requireShape } from './fetch-records.ts';
import { findReadings } from './list-readings.ts';
import { createListProgress, getName, isTruncated, readRecords } from './read-list.ts';
import { pluralName } from './resource-names.ts';
import { isSimilarLabel } from './similar-labels.ts';

export type { Lookup };

interface List {
  readonly records: readonly Row[];
  readonly limited: boolean;
}

const lookups = new WeakMap<Context, Lookup>();

/** The lookup of a run. */
export function getLookup(context: Context): Lookup {
  const lookup = lookups.get(context) ?? new Lookup(context);
  lookups.set(context, lookup);
  return lookup;
}

/** Finds records by name; what was read once is not read again in the same run. */
class Lookup {
  private readonly lists = new Map<ResourceName, Promise<List>>();

  constructor(private readonly context: Context) {}

  /** Finds the id of a record by its name. An id is returned as it is, without a request. */
  async id(resource: ResourceName, nameOrId: string): Promise<string> {
    if (isUuid(nameOrId)) return toComparableId(nameOrId);
    const found = (await this.all(resource)).filter((record) => isSameLabel(getName(record), nameOrId));
    const [only, second] = found;
    if (only === undefined) {
      if (await this.isLimited(resource)) throw notListedError(resource, nameOrId, await this.all(resource));
      const similar = (await this.all(resource)).find((record) => isSimilarLabel(getName(record), nameOrId));
      const hint = `List ${pluralName(resource)}: orgchat ${resource} list`;
      throw notFoundError(
        `No ${singularNames[resource]} named "${nameOrId}".`,
        similar === undefined
          ? hint
          : `Did you mean "${getName(similar)}" (${String(similar.id)})? Only letter case, width or invisible characters differ. ${hint}`,
      );
    }
    if (second !== undefined) {
      const ids = found.map(({ id }) => String(id));
      throw usageError(
        `${found.length} ${pluralName(resource)} are named "${nameOrId}".`,
        `Use an id: ${ids.join(', ')}`,
        'AMBIGUOUS_NAME',
      );
    }
    return toComparableId(String(only.id));
  }

  /**
   * Finds the ids of the records that a list flag names. Each value is a name or id, or several with commas between them;
   * a name may contain commas.
   */
  async ids(resource: ResourceName, given: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const value of given)
      for (const name of await this.split(resource, value)) ids.push(await this.id(resource, name));
    return [...new Set(ids)];
  }

  private async split(resource: ResourceName, value: string): Promise<readonly string[]> {
    const parts = value.split(',').map((part) => part.trim());
    if (parts.length === 1 || parts.every(isUuid)) return parts;
    const labels = new Set((await this.all(resource)).map((record) => toComparableLabel(getName(record))));
    const [reading, other] = findReadings(
      value,
      (name) => isUuid(name) || labels.has(toComparableLabel(name)),
    );
    if (reading !== undefined && other !== undefined)
      throw severalReadingsError(resource, value, [reading, other]);
    return reading ?? parts;
  }

  /** Every record of a resource that the API lists. */
  async all(resource: ResourceName): Promise<readonly Row[]> {
    return (await this.list(resource)).records;
  }

  /** Whether the organization has records of a resource that the API does not list. */
  async isLimited(resource: ResourceName): Promise<boolean> {
    return (await this.list(resource)).limited;
  }

  private list(resource: ResourceName): Promise<List> {
    let list = this.lists.get(resource);
    if (list === undefined) {
      list = this.read(resource);
      this.lists.set(resource, list);
    }
    return list;
  }

  private async read(resource: ResourceName): Promise<List> {
    const client: OrgChatClient = await this.context.client();
    const call = this.context.bulkCall;
    if (isBounded(resource)) {
      const page = await readBounded(client, resource, {}, call);
      return { records: page.records, limited: isTruncated(page) };
    }
    const read = listPages(client, resource, {}, call);
    const records: Row[] = [];
    for await (const record of readRecords(read, { all: true }, createListProgress())) records.push(record);
    return { records: await withNames(client, resource, records, call), limited: false };
  }
}

/** The records with the field that names them, which a list of summaries may not show. */
async function withNames(
  client: OrgChatClient,
  resource: ResourceName,
  records: readonly Row[],
  call: CallOptions,
): Promise<readonly Row[]> {
  const configuration = configurationResources.find((one) => one === resource);
  if (configuration === undefined || records.every((record) => getName(record) !== '')) return records;
  const reader = createRowReader(getChatApi(client), configuration, call);
  const named: Row[] = [];
  for (const record of records) {
    // Every row of a list has an id.
    const name = await requireShape(resource, reader.findName(record as unknown as Tag));
    if (name !== undefined) named.push({ ...record, [labelFields[configuration]]: name });
  }
  return named;
}

function severalReadingsError(
  resource: ResourceName,
  value: string,
  readings: readonly string[][],
): CliError {
  const shown = readings.map((names) => names.map((name) => `"${name}"`).join(' and '));
  return usageError(
    `"${value}" names several ${pluralName(resource)}: ${shown.join(', or ')}.`,
    'Repeat the flag for each name. For a name that contains a comma, use its id.',
    'AMBIGUOUS_NAME',
  );
}

/** The API lists only some of the records, so another one may have the name. */
function notListedError(resource: ResourceName, name: string, listed: readonly Row[]): CliError {
  return notFoundError(
    `No ${singularNames[resource]} named "${name}" among the first ${listed.length}. The API does not list more.`,
    'Use the id. Friends include the id of their account: orgchat friends list --fields accountId,displayName',
  );
}
