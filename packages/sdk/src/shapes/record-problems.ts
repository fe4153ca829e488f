import {
  configurationResources,
  dataShapes,
  friendShape,
  identityFields,
  type Shape,
} from '../generated/resources.ts';
import { toComparableId } from './ids.ts';
import { describeJson, findShapeProblem, type ShapeProblem } from './shape-values.ts';

/* What a record lacks of what is promised: its identity, what guards a change of it, and its data. */

type Fields = Readonly<Record<string, unknown>>;

/** The data that a record of the resource has as it is read; undefined if the contract gives it none. */
export function getDataShape(resource: string): Shape | undefined {
  if (resource === 'friends') return friendShape;
  return isConfiguration(resource) ? dataShapes[resource] : undefined;
}

/** The names of the data fields that a record of the resource has as it is read. */
export const listDataFields = (resource: string): readonly string[] =>
  Object.keys(getDataShape(resource)?.fields ?? {});

const isConfiguration = (resource: string): resource is (typeof configurationResources)[number] =>
  configurationResources.some((one) => one === resource);

/** The first identifying field that a record lacks. */
export const findIdentityProblem = (resource: string, record: Fields): ShapeProblem | undefined => {
  const missing = (identityFields[resource] ?? ['id']).find((name) => typeof record[name] !== 'string');
  return missing === undefined
    ? undefined
    : { path: missing, why: record[missing] === undefined ? 'is missing' : 'must be a string' };
};

/** The first identifying field that is not the one of `asked`, as far as it has one: then this is another record. */
export const findOtherId = (record: Fields, asked: Fields): string | undefined =>
  Object.keys(asked).find((name) => {
    const [given, sent] = [asked[name], record[name]];
    if (given === undefined) return false;
    return typeof sent !== 'string' || toComparableId(sent) !== toComparableId(String(given));
  });

/** The first field that a record lacks of those that guard a change. */
export const findGuardProblem = (record: Fields): ShapeProblem | undefined => {
  const missing = ['revision', 'label'].find((name) => typeof record[name] !== 'string');
  return missing === undefined ? undefined : { path: missing, why: `is ${describeJson(record[missing])}` };
};

/** The first data field that a record lacks, or that has another type. */
export const findDataProblem = (resource: string, record: Fields): ShapeProblem | undefined => {
  const data = getDataShape(resource);
  return data && findShapeProblem(data, record);
};

/** The first field that a record lacks of all that a record read by its id promises. */
export const findRecordProblem = (resource: string, record: Fields): ShapeProblem | undefined =>
  findIdentityProblem(resource, record) ?? findDataProblem(resource, record) ?? findGuardProblem(record);

/** Returns whether an object has nothing that is promised of a record, so that it is another part of the answer. */
export const hasNothing = (resource: string, record: Fields): boolean =>
  [...(identityFields[resource] ?? ['id']), 'revision', 'label', ...listDataFields(resource)].every(
    (name) => record[name] === undefined,
  );

/** Returns whether a record has everything that a record read by its id promises. */
export const isWhole = (resource: string, record: Fields): boolean => !findRecordProblem(resource, record);
