import type { ConfigurationResource } from '@orgchat/spec';
import { singularNames, withArticle } from '@orgchat/spec/resources/names';
import { invalidInputError } from '../errors/cli-error.ts';
import { readObject } from '../input/read-input.ts';
import type { Data } from './fields.ts';

/** A file with data, or with a record as `get` prints it; revision and label of the record then guard the change. */
export interface RecordFile {
  readonly data: Data;
  /** Fields of the record that are not data; empty if the file contains only data. */
  readonly record: Readonly<Record<string, string>>;
}

/** Fields that `get` prints and an update does not accept: ids, guards and times. */
const recordFields = ['id', 'revision', 'label', 'createdAt', 'updatedAt'];
const extraRecordFields: Readonly<Record<string, readonly string[]>> = {
  broadcasts: ['status'],
  friends: ['accountId', 'userId', 'displayName'],
};

/** Data of a resource, for the hint about a file without an object. */
function getExample(resource: ConfigurationResource | 'friends'): string {
  switch (resource) {
    case 'tags':
      return '{"name":"VIP","color":"pink"}';
    case 'broadcasts':
      return '{"title":"…"}, with the fields of a broadcast';
    case 'auto-replies':
      return '{"keyword":"…"}, with the fields of an auto-reply';
    case 'friends':
      return '{"status":"resolved","notes":"Prefers mornings."}';
    default:
      return `{"name":"…"}, with the fields of ${withArticle(singularNames[resource])}`;
  }
}

/** Separates the data in a file from the other fields of a record. */
function splitRecordFile(resource: ConfigurationResource | 'friends', file: Data): RecordFile {
  const names = [...recordFields, ...(extraRecordFields[resource] ?? [])];
  const isRecordField = ([name, value]: [string, unknown]): boolean =>
    names.includes(name) && typeof value === 'string';
  const entries = Object.entries(file);
  return {
    data: Object.fromEntries(entries.filter((entry) => !isRecordField(entry))),
    record: Object.fromEntries(entries.filter(isRecordField).map(([name, value]) => [name, String(value)])),
  };
}

/** Reads the file of `--data`. */
export const readRecordFile = async (
  resource: ConfigurationResource | 'friends',
  name: string,
): Promise<RecordFile> => splitRecordFile(resource, await readObject(name, getExample(resource)));

/** Throws if the file describes another record than the command names. */
export function checkSameRecord(given: string | undefined, named: unknown, what: string): void {
  if (given === undefined || given.toLowerCase() === String(named).toLowerCase()) return;
  throw invalidInputError(
    `The file describes another record: its ${what} is ${given}, but the command names ${String(named)}.`,
    'Use the id from the file, or remove the id from the file.',
  );
}
