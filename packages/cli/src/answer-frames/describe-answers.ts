import { OrgChatError, type ServerDescription } from '@orgchat/sdk';
import { createResponseShapes, labelFields } from '@orgchat/sdk/internal';
import type { ConfigurationResource } from '@orgchat/spec';
import type { Row } from '../output/output.ts';
import { findPlace, isNamed, nameFields, type Place, toPointer } from './find-place.ts';

type Response = Parameters<ReturnType<typeof createResponseShapes>['toPage']>[1];

/** Something that the description of a server would have to say, by its key. */
export interface Difference {
  readonly key: string;
  /** What was found there; undefined if nothing was that could be it. */
  readonly value?: string | boolean | undefined;
  /** What is different, as half of a sentence. */
  readonly what: string;
}

/** What was found in an answer. */
export interface AnswerDescription {
  readonly differences: readonly Difference[];
  /** The description, completed by what was found. */
  readonly server: ServerDescription;
  /** The answer, if it can be read with that description. */
  readonly value?: Row | undefined;
}

const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The list of an answer: one with records, if there is one. */
export function findList(answer: unknown): Place | undefined {
  const isList = ({ value }: Place): boolean => Array.isArray(value) && value.every(isRecord);
  return (
    findPlace(answer, (place) => isList(place) && Object(place.value).length > 0) ?? findPlace(answer, isList)
  );
}

/** Whether a value is the record of an id. A server may write UUIDs in upper case. */
const hasId = (value: unknown, id: string): boolean =>
  isRecord(value) && String(value.id).toLowerCase() === id.toLowerCase();

/** Returns a description with one more key. */
function withKey(server: ServerDescription, key: string, value: unknown): ServerDescription {
  const set = (outer: Row, [name = '', ...rest]: readonly string[]): Row => ({
    ...outer,
    [name]: rest.length === 0 ? value : set(Object(outer[name]) as Row, rest),
  });
  // The keys and the kinds of their values are those of the format.
  return set({ ...server }, key.split('.')) as unknown as ServerDescription;
}

/** The record of an answer by its id; of a list without an id, the first row. */
export function findSent(answer: unknown, id: string | undefined): Place | undefined {
  if (id !== undefined) return findPlace(answer, ({ value }) => hasId(value, id));
  const first = Object(findList(answer)?.value)[0] as unknown;
  return findPlace(answer, ({ value }) => isRecord(value) && value === first);
}

/** Says where something is. Without a place, it is missing, or is not what the contract says. */
function describePlace(what: string, found: Place | undefined, outer: unknown, field = ''): string {
  if (found !== undefined) return `${what} is at ${JSON.stringify(found.pointer)}`;
  const value = isRecord(outer) ? outer[field] : undefined;
  return value === undefined
    ? `${what} was not found. The answer has ${nameFields(outer)}`
    : `${what} is ${value === null ? 'null' : `a ${typeof value}`}, which the contract does not allow`;
}

/** What is different, if an answer cannot be read without a key of the description. */
function findDifference(
  key: string,
  resource: ConfigurationResource,
  answer: unknown,
  id: string | undefined,
): Difference {
  const record = findSent(answer, id)?.value;
  const at = (what: string, found: Place | undefined, outer = record, field = ''): Difference => ({
    key,
    value: found?.pointer,
    what: describePlace(what, found, outer, field),
  });
  if (key === 'shapes.list.records') return at('the list', findList(answer), answer);
  if (key === 'shapes.one') {
    const isOne = ({ value }: Place): boolean => id !== undefined && hasId(value, id);
    return at('the record read by its id', findPlace(answer, isOne), answer);
  }
  if (key === 'shapes.record.data') {
    const label = labelFields[resource];
    const hasData = ({ pointer, value }: Place): boolean =>
      pointer !== '' && isRecord(value) && label in value;
    return at(`the object with the field ${label}`, findPlace(record, hasData));
  }
  if (key === 'shapes.row.data')
    return { key, value: false, what: `rows of the list are summaries with ${nameFields(record)}` };
  const field = key.split('.').at(-1) ?? '';
  const isField = (place: Place): boolean => isNamed(place, field) && place.pointer !== toPointer(field);
  return at(`the field ${field}`, findPlace(record, isField), record, field);
}

/**
 * The key of the description that an answer needs. A place of the data that the description names and the record lacks
 * makes every field of it seem to be missing.
 */
function correctKey(key: string, { shapes }: ServerDescription, record: unknown): string {
  const data = shapes?.record?.data;
  const isOfData = key === 'shapes.row.data' || key.startsWith('shapes.record.rename.');
  const isLost = data !== undefined && findPlace(record, ({ pointer }) => pointer === data) === undefined;
  return isOfData && isLost ? 'shapes.record.data' : key;
}

/** More than these cannot be different about one record. */
const maxDifferences = 20;

/** What a resource has of its own in the description counts more than what all have. */
function toOwnKey(key: string, resource: ConfigurationResource, { shapes }: ServerDescription): string {
  const [, part = '', ...rest] = key.split('.');
  const own: Row = { ...shapes?.resources?.[resource] };
  return own[part] === undefined ? key : ['shapes', 'resources', resource, part, ...rest].join('.');
}

/** The key of the description without which an answer cannot be read. Rethrows what is not about a key. */
function getMissingKey(error: unknown): string {
  const isShape = error instanceof OrgChatError && error.code === 'UNEXPECTED_SHAPE';
  if (isShape && error.reason?.startsWith('shapes.')) return error.reason;
  throw error;
}

/** Reads an answer, and completes the description until it can be read, as far as what is in the answer allows. */
function completeDescription(
  server: ServerDescription,
  resource: ConfigurationResource,
  { data }: Response,
  read: (server: ServerDescription) => Row,
  id?: string,
): AnswerDescription {
  const differences: Difference[] = [];
  let described = server;
  const tryRead = (): Row | string => {
    try {
      return read(described);
    } catch (error) {
      return getMissingKey(error);
    }
  };
  for (;;) {
    const value = tryRead();
    if (typeof value !== 'string') return { differences, server: described, value };
    const reason = correctKey(value, described, findSent(data, id)?.value);
    const key = toOwnKey(reason, resource, described);
    // What was found there did not help.
    if (differences.some((one) => one.key === key)) break;
    const difference = { ...findDifference(reason, resource, data, id), key };
    differences.push(difference);
    if (difference.value === undefined || differences.length >= maxDifferences) break;
    described = withKey(described, key, difference.value);
  }
  return { differences, server: described };
}

/** Finds how an answer to reading a list differs from the description. Its value is the first row. */
export const describeList = (
  server: ServerDescription,
  resource: ConfigurationResource,
  answer: Response,
): AnswerDescription =>
  completeDescription(server, resource, answer, (described) => ({
    ...createResponseShapes(described).toPage<Row>(resource, answer).data.records[0],
  }));

/** Finds how an answer to reading one record differs from the description. Its value is the record. */
export const describeRecord = (
  server: ServerDescription,
  resource: ConfigurationResource,
  answer: Response,
  id: string,
): AnswerDescription => {
  const read = (described: ServerDescription): Row =>
    createResponseShapes(described).toRecord<Row>({ resource, id }, answer).data;
  return completeDescription(server, resource, answer, read, id);
};
