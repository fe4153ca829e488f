import type { OrgChatClient } from '@orgchat/sdk';
import type { Context } from './context.ts';
import { notFound, usage } from './failure.ts';
import { type Page, patientMs, readRecords } from './lists.ts';
import type { Row } from './output/output.ts';
import { isUuid } from './parsers.ts';
import type { ResourceName } from './resources/reader.ts';
import { readPage } from './resources/reader.ts';

/** Finds records by name; what was read once is not read again in the same run. */
export class Lookup {
  private readonly lists = new Map<ResourceName, Promise<readonly Row[]>>();

  constructor(private readonly context: Context) {}

  /** The id of what is named; an id passes unasked. */
  async id(resource: ResourceName, nameOrId: string): Promise<string> {
    if (isUuid(nameOrId)) return nameOrId.toLowerCase();
    const found = (await this.all(resource)).filter((record) => labelOf(record) === nameOrId.trim());
    const [only, second] = found;
    if (only === undefined) {
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

  /** Every record of a resource. */
  all(resource: ResourceName): Promise<readonly Row[]> {
    let list = this.lists.get(resource);
    if (list === undefined) {
      list = this.read(resource);
      this.lists.set(resource, list);
    }
    return list;
  }

  private async read(resource: ResourceName): Promise<readonly Row[]> {
    const client: OrgChatClient = await this.context.client();
    const call = {
      signal: this.context.interrupt.signal,
      timeoutMs: this.context.options.timeout ?? patientMs,
    };
    const read = (offset: number, limit: number): Promise<Page> =>
      readPage(client, resource, { offset, limit }, call);
    const records: Row[] = [];
    const progress = { shown: 0, total: undefined, more: false };
    for await (const record of readRecords(read, { all: true }, progress)) records.push(record);
    return records;
  }
}

/** What a person calls a record. */
export const labelOf = (record: Row): string => String(record.label ?? record.name ?? '');
