import { toComparableId } from '@orgchat/sdk/internal';
import { type ChangeableResource, getLabelField, isObject, listDataFields } from '@orgchat/spec';
import { patterns } from '@orgchat/spec/patterns';
import { findPlace, type Place, toPointer } from '../answer-frames/find-place.ts';
import { normalizeName } from './find-frame.ts';

type Row = Readonly<Record<string, unknown>>;

/* Where the parts of a record are in an answer. */

const isObjectPlace = ({ value }: Place): boolean => isObject(value);
const isRevision = ({ value }: Place): boolean => typeof value === 'string' && patterns.revision.test(value);

/** The object of a record that has most of its data fields; the record itself, if no other has more. */
export function findData(record: Row, resource: ChangeableResource): Place {
  const names = listDataFields(resource);
  const countNames = (value: unknown): number =>
    names.filter((name) => Object.hasOwn(Object(value) as object, name)).length;
  let best: Place = { pointer: '', value: record };
  // Looks at every place, and is never satisfied.
  findPlace(record, (place) => {
    if (isObjectPlace(place) && countNames(place.value) > countNames(best.value)) best = place;
    return false;
  });
  return best;
}

/** Prefers a place by the name of the contract; a value of that kind may be in a second place. */
const findByName = (record: Row, name: string, isKind: (place: Place) => boolean): Place | undefined =>
  findPlace(record, (place) => isKind(place) && place.pointer.endsWith(toPointer(name))) ??
  findPlace(record, isKind);

/** Where the data fields of a record are expected. */
export const listDataPlaces = (resource: ChangeableResource, data: Place): readonly string[] =>
  listDataFields(resource).map((name) => `${data.pointer}${toPointer(name)}`);

/** A test for what is in the value of a data field: users wrote it, so it has no part of the record. */
export function createInsideTest(resource: ChangeableResource, data: Place): (place: Place) => boolean {
  const places = listDataPlaces(resource, data);
  return ({ pointer }) => places.some((place) => pointer.startsWith(`${place}/`));
}

/** A test for data fields, whatever their spelling: another one may have the same text as the label. */
function createDataTest(resource: ChangeableResource, data: Place): (place: Place) => boolean {
  const spelled = new Set(listDataPlaces(resource, data).map(normalizeName));
  return ({ pointer }) => spelled.has(normalizeName(pointer));
}

/** The label: the same text as the field that it is a copy of, in another place if there is one. */
export function findLabel(record: Row, resource: ChangeableResource, data: Place): Place | undefined {
  const field = getLabelField(resource);
  const own = `${data.pointer}${toPointer(field)}`;
  const text = (data.value as Row)[field];
  const isData = createDataTest(resource, data);
  const isInside = createInsideTest(resource, data);
  const isCopy = (place: Place): boolean => place.value === text && !isData(place) && !isInside(place);
  const copy = findByName(record, 'label', isCopy);
  return copy ?? (typeof text === 'string' ? { pointer: own, value: text } : undefined);
}

export function findRevision(record: Row, resource: ChangeableResource, data: Place): Place | undefined {
  const isInside = createInsideTest(resource, data);
  return findByName(record, 'revision', (place) => isRevision(place) && !isInside(place));
}

/** Whether a value is the record that was asked for. A server may write UUIDs in upper case. */
const isRecordOf = (value: unknown, asked: Row): value is Row =>
  isObject(value) &&
  Object.entries(asked).every(
    ([name, id]) => toComparableId(String(value[name])) === toComparableId(String(id)),
  );

/** The record in an answer to reading it; undefined if there is none. */
export const findRecord = (answer: unknown, asked: Row): Row | undefined =>
  findPlace(answer, ({ value }) => isRecordOf(value, asked))?.value as Row | undefined;

/** Finds what a change of a record has to send back; undefined if it is not there. */
export function findGuards(
  record: Row,
  resource: ChangeableResource,
): { readonly expectedRevision: string; readonly expectedLabel: string } | undefined {
  const data = findData(record, resource);
  const revision = findRevision(record, resource, data)?.value;
  const label = findLabel(record, resource, data)?.value;
  if (typeof revision !== 'string' || typeof label !== 'string') return undefined;
  return { expectedRevision: revision, expectedLabel: label };
}
