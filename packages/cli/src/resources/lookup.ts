import type { OrgChatClient } from '@orgchat/sdk';
import { singularNames } from '@orgchat/spec/resources/names';
import { isUuid } from '../args/value-parsers.ts';
import type { Context } from '../context.ts';
import { type CliError, notFoundError, usageError } from '../errors/cli-error.ts';
import type { Row } from '../output/output.ts';
import { isBounded, listPages, type ResourceName, readBounded } from './fetch-records.ts';
import { createListProgress, isTruncated, readRecords } from './read-list.ts';
import { pluralName } from './resource-names.ts';

interface List {
  readonly records: readonly Row[];
  readonly limited: boolean;
}

/** Finds records by name; what was read once is not read again in the same run. */
export class Lookup {
  private readonly lists = new Map<ResourceName, Promise<List>>();

  constructor(private readonly context: Context) {}

  /** Finds the id of a record by its name. An id is returned as it is, without a request. */
  async id(resource: ResourceName, nameOrId: string): Promise<string> {
    if (isUuid(nameOrId)) return nameOrId.toLowerCase();
    const found = (await this.all(resource)).filter((record) => getLabel(record) === nameOrId.trim());
    const [only, second] = found;
    if (only === undefined) {
      if (await this.isLimited(resource)) throw notListedError(resource, nameOrId, await this.all(resource));
      throw notFoundError(
        `No ${singularNames[resource]} named "${nameOrId}".`,
        `List ${pluralName(resource)}: orgchat ${resource} list`,
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
    return String(only.id);
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
    return { records, limited: false };
  }
}

/** The API lists only some of the records, so another one may have the name. */
function notListedError(resource: ResourceName, name: string, listed: readonly Row[]): CliError {
  return notFoundError(
    `No ${singularNames[resource]} named "${name}" among the first ${listed.length}. The API does not list more.`,
    'Use the id. Friends include the id of their account: orgchat friends list --fields accountId,displayName',
  );
}

/** The label or name of a record. */
export const getLabel = (record: Row): string => String(record.label ?? record.name ?? '');
