/*
 * The contract does not show the records of reads, nor the `result` of changes. This is the only file that knows how a
 * server frames them: as the decisions say, and where a server differs, as its description says. Nothing is guessed. An
 * answer to a read that does not fit rejects with `UNEXPECTED_SHAPE`; the bare operations return what the server sent.
 * A `result` that does not fit is read again or left out: the change is applied.
 */

import { createShapeResolver } from '../generated/resolved-shape.ts';
import { identityFields } from '../generated/resources.ts';
import type { ServerDescription } from '../generated/server-description.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import type { ReadQuery } from '../types/read-query.ts';
import type { RecordPage } from '../types.ts';
import { isObject } from '../values.ts';
import { readPointer, toPointer } from './json-pointer.ts';
import { markSummary } from './record-guards.ts';
import {
  findDataProblem,
  findGuardProblem,
  findIdentityProblem,
  findOtherId,
  findRecordProblem,
  getDataShape,
  hasNothing,
  isWhole,
  listDataFields,
} from './record-problems.ts';
import { toResultKind } from './result-kind.ts';
import { createUndescribedError, createUnexpectedShapeError, describeFields } from './shape-errors.ts';
import { completeShape, describeJson, type ShapeProblem } from './shape-values.ts';

type Fields = Record<string, unknown>;

/** A record as the rest of the package knows it: guards and data fields at the top. */
export interface ShapedRecord extends Fields {
  readonly revision?: string;
  readonly label?: string;
}

/** What a change answered. */
export interface ShapedResult {
  readonly result: unknown;
  /** Reads the record, if the result is only a part of it; `result` is what to take if that fails. */
  readonly query?: ReadQuery;
}

/** How a server frames records, by its description. */
export interface ResponseShapes {
  /** The most records that a page has. */
  readonly pageSize: number | undefined;
  /** Returns a page of a list. Throws unless each row names its record, and unless the first has its data, if rows have. */
  toPage<T>(
    resource: string,
    answer: ApiResponse<unknown>,
    rows?: 'complete' | 'any',
  ): ApiResponse<RecordPage<T>>;
  /** Returns the answer to a query, reduced to the record. Throws unless it is that record, with all that is promised. */
  toRecord<T>(query: ReadQuery, answer: ApiResponse<unknown>): ApiResponse<T>;
  /** Returns the record that a query asked for, with what it has; undefined if the answer has no record, or another. */
  findRecord(query: ReadQuery, body: unknown): ShapedRecord | undefined;
  /** Returns what the `result` of a change has, if it is what its action promises, or how to read it. */
  toResult(change: Readonly<Fields>, result: unknown): ShapedResult;
  /** Returns whether a row has its guards and data, so that it can be used like the record read by its id. */
  isComplete(resource: string, row: object): boolean;
  /** Returns whether lists begin with the newest record. */
  isNewestFirst(resource: string): boolean;
}

const pickFields = (given: Readonly<Fields>, isWanted: (name: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(given).filter(([name]) => isWanted(name)));

/** The fields of a record whose data are in an object of their own. Identity and guards are beside the data, never in them. */
function joinFields(resource: string, sent: Readonly<Fields>, data: unknown): Fields {
  const dataFields = listDataFields(resource);
  const ownFields = [...(identityFields[resource] ?? ['id']), 'revision', 'label'];
  return {
    ...pickFields(isObject(data) ? data : {}, (name) => !ownFields.includes(name)),
    ...pickFields(sent, (name) => !dataFields.includes(name)),
  };
}

/** Creates what reads the answers of a server. */
export function createResponseShapes({ shapes = {}, limits }: ServerDescription): ResponseShapes {
  const shapeOf = createShapeResolver(shapes);
  /** The records that were read: a result that is one of them is not framed as the server frames results. */
  const known = new WeakSet<object>();

  /** The record with its guards and data where the rest of the package expects them. */
  function toShaped(resource: string, sent: Readonly<Fields>): ShapedRecord {
    const data = getDataShape(resource);
    if (!data) return sent;
    const { revision, label, data: place, rename } = shapeOf(resource).record;
    const shaped = place === '' ? { ...sent } : joinFields(resource, sent, readPointer(sent, place));
    const places = { ...rename, revision, label };
    for (const [name, pointer] of Object.entries(places)) {
      // A pointer to the place where the field is anyway says nothing.
      if (pointer === `/${name}`) continue;
      const value = readPointer(sent, pointer);
      if (value === undefined) delete shaped[name];
      else shaped[name] = value;
    }
    const record = completeShape(data, shaped) as ShapedRecord;
    known.add(record);
    return record;
  }

  /** The names of the fields that a server sent, as the rest of the package knows them. */
  const listSentFields = (resource: string, sent: Readonly<Fields>): ReadonlySet<string> => {
    const { data, rename } = shapeOf(resource).record;
    const inner = Object.keys(Object(data === '' ? undefined : readPointer(sent, data)));
    const renamed = Object.entries(rename).filter(([, pointer]) => readPointer(sent, pointer) !== undefined);
    return new Set([...Object.keys(sent), ...inner, ...renamed.map(([name]) => name)]);
  };

  /** The key of the description that says where a field is, and the value it may have. */
  function suggestKey(
    resource: string,
    sent: Readonly<Fields>,
    field: string,
    isRow: boolean,
  ): [string, string?] {
    const { record } = shapeOf(resource);
    if (field === 'revision' || field === 'label') return [`shapes.record.${field}`];
    const names = listDataFields(resource);
    const place = Object.entries(sent).find(([, value]) => isObject(value) && field in value);
    if (names.includes(field) && place && !record.data) return ['shapes.record.data', toPointer(place[0])];
    if (isRow && names.includes(field)) return ['shapes.row.data'];
    return [`shapes.record.rename.${field}`];
  }

  /** Where the description of the server points to, if that is why a field is missing, and its key. */
  function findLost(
    resource: string,
    answer: unknown,
    sent: Readonly<Fields>,
    field: string,
    isRow: boolean,
  ): { readonly pointer: string; readonly key: string } | undefined {
    const { list, one, record } = shapeOf(resource);
    const usual = createShapeResolver({})(resource);
    const [pointer, assumed, key] = isRow
      ? [list.records, usual.list.records, 'shapes.list.records']
      : [one, usual.one, 'shapes.one'];
    const found = readPointer(answer, assumed);
    const hasRecord = (value: unknown): boolean =>
      isObject(value) && !hasNothing(resource, toShaped(resource, value));
    // If no record is where the decisions assume it, the pointer may be right, and the record have other names.
    if (pointer !== assumed && !hasRecord(sent) && hasRecord(isRow ? Object(found)[0] : found))
      return { pointer, key };
    const places: Fields = { ...record.rename, revision: record.revision, label: record.label };
    const own = places[field];
    if (typeof own === 'string')
      return own === toPointer(field) || readPointer(sent, own) !== undefined
        ? undefined
        : { pointer: own, key: `shapes.record.${field in record.rename ? 'rename.' : ''}${field}` };
    const names = listDataFields(resource);
    const data: unknown = readPointer(sent, record.data);
    const isLost = names.includes(field) && names.every((name) => !(isObject(data) && name in data));
    return record.data !== '' && isLost ? { pointer: record.data, key: 'shapes.record.data' } : undefined;
  }

  function refuse(
    resource: string,
    answer: ApiResponse<unknown>,
    sent: Readonly<Fields>,
    { path, why }: ShapeProblem,
    row?: number,
  ): never {
    const isRow = row !== undefined;
    const what = isRow ? `Row ${row} of the list of ${resource}` : `The record of ${resource}`;
    const found = `${what}: the field ${path} ${why}. It has ${describeFields(Object.keys(sent))}.`;
    const lost = findLost(resource, answer.data, sent, path, isRow);
    if (!lost)
      throw createUndescribedError(resource, answer, found, ...suggestKey(resource, sent, path, isRow));
    const advice = `The description of the server points to ${JSON.stringify(lost.pointer)} (${lost.key}), where the record has nothing.`;
    // Rows without the object of the data may be summaries.
    if (isRow && lost.key === 'shapes.record.data')
      throw createUndescribedError(resource, answer, `${found} ${advice}`, 'shapes.row.data');
    throw createUnexpectedShapeError('readChat', resource, answer, `${found} ${advice}`, lost.key);
  }

  function findRows(resource: string, answer: ApiResponse<unknown>): Fields[] {
    const { records: pointer } = shapeOf(resource).list;
    const rows = readPointer(answer.data, pointer);
    if (!Array.isArray(rows)) {
      const fields = Object.entries(Object(answer.data) as Fields);
      const place = fields.find(([, value]) => Array.isArray(value));
      const why = `The answer to reading the list of ${resource} has no list at ${pointer}. It has ${describeFields(fields.map(([name]) => name))}.`;
      throw createUndescribedError(
        resource,
        answer,
        why,
        'shapes.list.records',
        place && toPointer(place[0]),
      );
    }
    const odd = rows.findIndex((row) => !isObject(row));
    if (odd >= 0) {
      const why = `Row ${odd} of the list of ${resource} must be an object; got ${describeJson(rows[odd])}.`;
      throw createUnexpectedShapeError('readChat', resource, answer, why);
    }
    return rows;
  }

  function findRecord(resource: string, body: unknown): ShapedRecord | undefined {
    const { one } = shapeOf(resource);
    const sent = readPointer(body, one);
    return isObject(sent) ? toShaped(resource, sent) : undefined;
  }

  return {
    pageSize: limits?.pageSize,
    findRecord({ resource, id, accountId, userId }, body) {
      const record = findRecord(resource, body);
      return record && findOtherId(record, { id, accountId, userId }) === undefined ? record : undefined;
    },
    isComplete: (resource, row) => isWhole(resource, { ...row }),
    isNewestFirst: (resource) => shapeOf(resource).list.order === 'newest',
    toPage<T>(resource: string, answer: ApiResponse<unknown>, rows: 'complete' | 'any' = 'complete') {
      const { list, row } = shapeOf(resource);
      const sent = findRows(resource, answer);
      const records = sent.map((one, index) => {
        const record = toShaped(resource, one);
        const problem =
          findIdentityProblem(resource, record) ??
          (index === 0 && rows === 'complete' && row.data ? findDataProblem(resource, record) : undefined);
        if (problem) refuse(resource, answer, one, problem, index);
        if (getDataShape(resource) && findGuardProblem(record))
          markSummary(record, listSentFields(resource, one));
        return record;
      });
      const read = (pointer: string | null | undefined): unknown =>
        typeof pointer === 'string' ? readPointer(answer.data, pointer) : undefined;
      const [total, limited] = [read(list.total), read(list.limited)];
      const page = {
        records: records as unknown as T[],
        ...(typeof total === 'number' && { total }),
        ...(typeof limited === 'boolean' && { limited }),
      };
      return { ...answer, data: page };
    },
    toRecord<T>({ resource, id, accountId, userId }: ReadQuery, answer: ApiResponse<unknown>) {
      const record = findRecord(resource, answer.data);
      const { one } = shapeOf(resource);
      if (!record) {
        const fields = Object.entries(Object(answer.data) as Fields);
        const place = fields.find(
          ([, value]) => isObject(value) || (Array.isArray(value) && value.length === 1),
        );
        const example =
          typeof Object(answer.data).id === 'string'
            ? ''
            : place && `${toPointer(place[0])}${Array.isArray(place[1]) ? '/0' : ''}`;
        const why = `The answer to reading one of ${resource} has no record at ${JSON.stringify(one)}. It has ${describeFields(fields.map(([name]) => name))}.`;
        throw createUndescribedError(resource, answer, why, 'shapes.one', example);
      }
      const problem = findRecordProblem(resource, record);
      if (problem) refuse(resource, answer, { ...Object(readPointer(answer.data, one)) }, problem);
      const other = findOtherId(record, { id, accountId, userId });
      if (other) {
        const why = `The answer to reading one of ${resource} has another record: its ${other} is not the one that was asked for. A gateway may have mixed up two answers.`;
        throw createUndescribedError(resource, answer, why, 'shapes.one');
      }
      // The checks above are what the type promises.
      return { ...answer, data: record as unknown as T };
    },
    toResult(change, result) {
      const { kind, resource } = toResultKind(change);
      const { accountId, userId, scenarioId } = change;
      // What the result has to be about. Nothing that was sent names the record of a create.
      const about: Fields = { id: change.id, accountId, userId, scenarioId };
      const isAbout = (one: Readonly<Fields>): boolean =>
        findOtherId({ ...about, ...one }, about) === undefined;
      if (isObject(result) && known.has(result)) {
        return { result: isWhole(resource, result) ? result : undefined };
      }
      const shape = shapes.result?.[kind];
      const sent = typeof shape === 'string' ? readPointer(result, shape) : result;
      const hasTexts = (...names: string[]): boolean =>
        isObject(sent) && names.every((name) => typeof sent[name] === 'string');
      if (kind === 'delete') {
        return {
          result:
            hasTexts('id') && isObject(sent) && sent.deleted === true && isAbout(sent) ? sent : undefined,
        };
      }
      if (kind === 'enroll') {
        const isWholeEnrollment = hasTexts('id', 'accountId', 'userId', 'scenarioId');
        return { result: isWholeEnrollment && isObject(sent) && isAbout(sent) ? sent : undefined };
      }
      const record = isObject(sent) ? toShaped(resource, sent) : undefined;
      if (record && !isAbout(record)) return { result: undefined };
      if (record && isWhole(resource, record)) return { result: record };
      // Without a description, only a result that names the record says that it is part of one.
      const isPart = record !== undefined && findIdentityProblem(resource, record) === undefined;
      if (!isPart && shape !== null && !Array.isArray(shape)) return { result: undefined };
      // Its data are all that is promised of a result; what guards the next change may be only in the record.
      const partial = record && isPart && !findDataProblem(resource, record) ? record : undefined;
      if (partial) markSummary(partial, listSentFields(resource, { ...Object(sent) }));
      const id = kind === 'create' ? record?.id : change.id;
      if (kind === 'friend') return { result: partial, query: { resource, accountId, userId } };
      return typeof id === 'string' ? { result: partial, query: { resource, id } } : { result: undefined };
    },
  };
}
