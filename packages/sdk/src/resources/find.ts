import { ConflictError, createInvalidInputError, NotFoundError } from '../errors/refused.ts';
import { dataShapes, labelFields } from '../generated/resources.ts';
import { type ListChanges, maxListReads, watchListChanges } from '../lists/list-changes.ts';
import { createOffsetList } from '../lists/record-list.ts';
import type { CallOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import { getRequestId, rememberRequestId } from '../results/request-ids.ts';
import { hasRecordData, isSameLabel } from '../shapes/labels.ts';
import { listDataFields } from '../shapes/record-problems.ts';
import { createDoubtfulListError } from '../shapes/shape-errors.ts';
import { findShapeProblem } from '../shapes/shape-values.ts';
import type { ConfigurationInputs, ConfigurationResource, Guarded, ResourceRecords } from '../types.ts';
import { isObject } from '../values.ts';
import { copyInput } from '../write/input.ts';

/** What a record has to have besides its label, so that it is one of those that a call is about. */
export type Where<R extends ConfigurationResource> = Partial<ConfigurationInputs[R]>;

/**
 * Options of `find`.
 *
 * @example
 * const own: FindOptions<'auto-replies'> = { where: { accountId } };
 * const parking = await client.autoReplies.find({ keyword: 'parking' }, own);
 */
export interface FindOptions<R extends ConfigurationResource> extends CallOptions {
  /** Only records with these fields are looked at, such as those of one account. Default: all. */
  readonly where?: Where<R> | undefined;
}

/** Throws unless `fields` has at least one field of the data, and each of the type that the contract gives it. */
function requireFields(resource: ConfigurationResource, fields: unknown, what: string): void {
  const names = listDataFields(resource);
  const given = isObject(fields) ? Object.keys(fields).filter((name) => fields[name] !== undefined) : [];
  const refuse = (why: string): never => {
    throw createInvalidInputError(`${why}. Fields: ${names.join(', ')}.`);
  };
  if (given.length === 0) refuse(`${what} requires at least one field`);
  const unknown = given.find((name) => !names.includes(name));
  if (unknown !== undefined) refuse(`${resource} have no field "${unknown}"`);
  // Null stands for no value, which any field may be asked for.
  const values = Object.entries(Object(fields)).filter(([, value]) => (value ?? null) !== null);
  const shapes = values.map(([name]) => [name, dataShapes[resource].fields?.[name]]);
  const problem = findShapeProblem({ fields: Object.fromEntries(shapes) }, Object.fromEntries(values));
  if (problem) refuse(`${what}: ${problem.path} ${problem.why}`);
}

/**
 * Throws unless `where`, if given, can be used, and the data that are to be written are within it: the record could not
 * be found again otherwise, and the next call would create another one. `name` is what the data are called.
 */
export function requireWithin<R extends ConfigurationResource>(
  resource: R,
  where: Where<R> | undefined,
  data: readonly object[],
  name: (index: number) => string,
): void {
  if (where === undefined) return;
  requireFields(resource, where, 'where');
  const outside = data.findIndex((one) => !hasRecordData(resource, one, where));
  if (outside < 0) return;
  const fields = Object.entries(where).filter((field) => {
    const one = Object.fromEntries([field]);
    return !hasRecordData(resource, data[outside] ?? {}, one);
  });
  throw createInvalidInputError(
    `${name(outside)} must have the ${fields.map(([field]) => field).join(' and ')} of where. A record outside of it would not be found again.`,
  );
}

/** Whether a record is one of those that a call is about. */
export const isWithin = <R extends ConfigurationResource>(
  resource: R,
  where: Where<R> | undefined,
  record: object,
): boolean => where === undefined || hasRecordData(resource, record, where);

/** Creates the error for several records that a call could be about. */
export function createAmbiguousError(
  resource: ConfigurationResource,
  fields: readonly string[],
  matches: readonly { readonly id: string }[],
): ConflictError {
  const ids = matches.map(({ id }) => id).join(', ');
  return new ConflictError(
    `${matches.length} ${resource} have the same ${fields.join(' and ')}: ${ids}. Pass where, or rename all but one.`,
    { code: 'AMBIGUOUS_MATCH', operation: 'readChat' },
  );
}

/**
 * Reads the records of a resource and returns the only one that has all fields of `criteria` and `where`, text as it was
 * passed or trimmed and labels in any Unicode form; undefined if there is none. Before that, a list of several pages is read
 * again if it changed in the meantime.
 */
export async function findRecord<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  given: Partial<ConfigurationInputs[R]>,
  { where: givenWhere, ...call }: FindOptions<R> = {},
): Promise<Guarded<ResourceRecords[R]> | undefined> {
  requireFields(resource, given, 'find()');
  if (givenWhere !== undefined) requireFields(resource, givenWhere, 'where');
  const [criteria, where] = [copyInput(given), copyInput(givenWhere)];
  for (let reads = 1; ; reads++) {
    const { matches, isInDoubt, changes } = await readMatches(api, resource, criteria, where, call);
    if (matches.length > 1) throw createAmbiguousError(resource, Object.keys(criteria), matches);
    if (matches.length === 1) return matches[0];
    if (isInDoubt) throw createDoubtfulListError(resource);
    if (reads >= maxListReads || !(await changes.hasMissed())) return undefined;
  }
}

async function readMatches<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  criteria: Partial<ConfigurationInputs[R]>,
  where: Where<R> | undefined,
  call: CallOptions,
): Promise<{
  readonly matches: Guarded<ResourceRecords[R]>[];
  readonly isInDoubt: boolean;
  readonly changes: ListChanges;
}> {
  const matches: Guarded<ResourceRecords[R]>[] = [];
  let isInDoubt = false;
  let hasWhole = false;
  let sample: ResourceRecords[R] | undefined;
  const onDoubt = (): void => {
    isInDoubt = true;
  };
  const label: unknown = (criteria as Readonly<Record<string, unknown>>)[labelFields[resource]];
  const changes = watchListChanges(api, resource, call);
  const reader = createRowReader(api, resource, call);
  const list = createOffsetList<ResourceRecords[R]>(api, () => ({ query: { resource }, options: call }), {
    rows: 'any',
    onDoubt,
  });
  for await (const page of list.pages()) {
    const { records } = page;
    changes.addPage(page);
    for (const row of records) {
      const record = await reader.complete(row, typeof label === 'string' ? label : undefined);
      if (record) hasWhole = true;
      else sample ??= row;
      if (!record || !hasRecordData(resource, record, criteria)) continue;
      if (!isWithin(resource, where, record)) continue;
      if (record === row) rememberRequestId(record, { requestId: getRequestId(page) });
      matches.push(record);
    }
  }
  // Before a summary is believed that a record does not exist, one is read: a create could not be read afterwards either.
  if (!hasWhole && sample) await reader.complete(sample);
  return { matches, isInDoubt, changes };
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
