import type { OrgChatClient } from '@orgchat/sdk';
import type { Context } from './context.ts';
import { type Failure, notFound, usage } from './failure.ts';
import { isCut, type Page, patientMs, readRecords, startOfReading } from './lists.ts';
import type { Row } from './output/output.ts';
import { isUuid } from './parsers.ts';
import { isBounded, type ResourceName, readBounded, readPage } from './resources/reader.ts';

interface List {
  readonly records: readonly Row[];
  readonly limited: boolean;
}

/** Finds records by name; what was read once is not read again in the same run. */
export class Lookup {
  private readonly lists = new Map<ResourceName, Promise<List>>();

  constructor(private readonly context: Context) {}

  /** The id of what is named; an id passes unasked. */
  async id(resource: ResourceName, nameOrId: string): Promise<string> {
    if (isUuid(nameOrId)) return nameOrId.toLowerCase();
    const found = (await this.all(resource)).filter((record) => labelOf(record) === nameOrId.trim());
    const [only, second] = found;
    if (only === undefined) {
      if (await this.isLimited(resource)) throw beyondLimit(resource, nameOrId, await this.all(resource));
      throw notFound(
        `There is none of ${resource} named "${nameOrId}".`,
        `See what there is: orgchat ${resource} list`,
      );
    }
    if (second !== undefined) {
      const ids = found.map(({ id }) => String(id));
      throw usage(
        `${found.length} of ${resource} are named "${nameOrId}".`,
        `Name one by its id: ${ids.join(', ')}`,
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
    const call = {
      signal: this.context.interrupt.signal,
      timeoutMs: this.context.options.timeout ?? patientMs,
    };
    if (isBounded(resource)) {
      const page = await readBounded(client, resource, {}, call);
      return { records: page.records, limited: isCut(page) };
    }
    const read = (offset: number, limit: number): Promise<Page> =>
      readPage(client, resource, { offset, limit }, call);
    const records: Row[] = [];
    for await (const record of readRecords(read, { all: true }, startOfReading())) records.push(record);
    return { records, limited: false };
  }
}

/** The name was looked for among some of the records only: one beyond them may have it. */
function beyondLimit(resource: ResourceName, name: string, listed: readonly Row[]): Failure {
  return notFound(
    `None of the first ${listed.length} ${resource} is named "${name}", and the API lists no more of them.`,
    'Give the id instead of the name. Friends carry the id of their account: orgchat friends list --fields accountId,displayName',
  );
}

/** What a person calls a record. */
export const labelOf = (record: Row): string => String(record.label ?? record.name ?? '');
