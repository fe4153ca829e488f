import { ConflictError, createInvalidInputError, NotFoundError } from '../errors/refused.ts';
import { labelFields } from '../generated/resources.ts';
import { createOffsetList } from '../lists/record-list.ts';
import type { CallOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/endpoints.ts';
import { getRequestId, rememberRequestId } from '../results/request-ids.ts';
import { hasRecordData, isSameLabel } from '../shapes/labels.ts';
import { listDataFields } from '../shapes/record-problems.ts';
import { createDoubtfulListError } from '../shapes/shape-errors.ts';
import type { ConfigurationInputs, ConfigurationResource, Guarded, ResourceRecords } from '../types.ts';
import { isObject } from '../values.ts';

/** Throws unless each name of `criteria` is a data field of the resource, and at least one has a value. */
function requireCriteria(resource: ConfigurationResource, criteria: object): void {
  const fields = listDataFields(resource);
  const given = isObject(criteria)
    ? Object.keys(criteria).filter((name) => criteria[name] !== undefined)
    : [];
  const unknown = given.find((name) => !fields.includes(name));
  if (given.length > 0 && unknown === undefined) return;
  const what =
    unknown === undefined ? 'find() requires at least one field' : `${resource} have no field "${unknown}"`;
  throw createInvalidInputError(`${what}. Fields: ${fields.join(', ')}.`);
}

/**
 * Reads the records of a resource and returns the only one that has all fields of `criteria`, text without the spaces
 * around it and labels in any Unicode form; undefined if there is none.
 */
export async function findRecord<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  criteria: Partial<ConfigurationInputs[R]>,
  call: CallOptions | undefined,
): Promise<Guarded<ResourceRecords[R]> | undefined> {
  requireCriteria(resource, criteria);
  const { matches, isInDoubt } = await readMatches(api, resource, criteria, call);
  if (matches.length === 0 && isInDoubt) throw createDoubtfulListError(resource);
  if (matches.length <= 1) return matches[0];
  const ids = matches.map(({ id }) => id).join(', ');
  throw new ConflictError(
    `${matches.length} ${resource} have the same ${Object.keys(criteria).join(' and ')}: ${ids}. Pass more fields, use an id, or rename all but one.`,
    { code: 'AMBIGUOUS_MATCH', operation: 'readChat' },
  );
}

async function readMatches<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  criteria: Partial<ConfigurationInputs[R]>,
  call: CallOptions | undefined,
): Promise<{
  readonly matches: Guarded<ResourceRecords[R]>[];
  readonly isInDoubt: boolean;
}> {
  const matches: Guarded<ResourceRecords[R]>[] = [];
  let isInDoubt = false;
  let hasWhole = false;
  let sample: ResourceRecords[R] | undefined;
  const onDoubt = (): void => {
    isInDoubt = true;
  };
  const label: unknown = (criteria as Readonly<Record<string, unknown>>)[labelFields[resource]];
  const reader = createRowReader(api, resource, call);
  const list = createOffsetList<ResourceRecords[R]>(api, () => ({ query: { resource }, options: call }), {
    rows: 'any',
    onDoubt,
  });
  for await (const page of list.pages()) {
    const { records } = page;
    for (const row of records) {
      const record = await reader.complete(row, typeof label === 'string' ? label : undefined);
      if (record) hasWhole = true;
      else sample ??= row;
      if (!record || !hasRecordData(resource, record, criteria)) continue;
      if (record === row) rememberRequestId(record, { requestId: getRequestId(page) });
      matches.push(record);
    }
  }
  // Before a summary is believed that a record does not exist, one is read: a create could not be read afterwards either.
  if (!hasWhole && sample) await reader.complete(sample);
  return { matches, isInDoubt };
}

/** Turns the rows of a list into whole records. */
interface RowReader<T> {
  /**
   * Returns the record of a row: the row itself if it is whole, otherwise read by its id. Undefined if it is gone, or if
   * the row shows that it does not have the label.
   */
  complete(row: T, label?: string): Promise<Guarded<T> | undefined>;
  /** Returns the field that names the record of a row, read by its id if the row does not show it. */
  findName(row: T): Promise<string | undefined>;
}

/**
 * Creates what reads the rows of a list that are only summaries. A row that does not show the field that names it is read:
 * what the server calls its label may be something else.
 */
export function createRowReader<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  call: CallOptions | undefined,
  onReadById?: () => void,
): RowReader<ResourceRecords[R]> {
  type Row = ResourceRecords[R];
  const read = async (row: Row): Promise<Guarded<Row> | undefined> => {
    onReadById?.();
    try {
      return (await api.readRecord<Guarded<Row>>({ resource, id: row.id }, call)).data;
    } catch (error) {
      // Deleted since the list was read.
      if (error instanceof NotFoundError && error.meaning === 'notFound') return undefined;
      throw error;
    }
  };
  const getName = (record: Row | undefined): string | undefined => {
    const name: unknown = ({ ...record } as Readonly<Record<string, unknown>>)[labelFields[resource]];
    return typeof name === 'string' ? name : undefined;
  };
  return {
    async complete(row, label) {
      if (api.shapes.isComplete(resource, row)) return row as Guarded<Row>;
      const shown = getName(row);
      const isOther = label !== undefined && shown !== undefined && !isSameLabel(shown, label);
      return isOther ? undefined : read(row);
    },
    findName: async (row) => getName(row) ?? getName(await read(row)),
  };
}
