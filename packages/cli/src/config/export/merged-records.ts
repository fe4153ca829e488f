import type { ConfigurationResource } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import type { WrittenRecord } from '../file/export-content.ts';
import { parseData } from '../file/parse-data.ts';
import { mapReferences } from '../file/references.ts';
import type { RemoteRecord } from '../organization.ts';
import type { ComparedRecord } from '../plan/compare-records.ts';
import { parseStepReference, toStepReference } from '../plan/plan-schema.ts';

/** A record of the merged file. */
export interface MergedRecord extends WrittenRecord {
  readonly resource: ConfigurationResource;
  readonly label: string;
  /** The id that references have. */
  readonly key: string;
  /** The record of the file that it was merged from; undefined if it is the organization's alone. */
  readonly compared?: ComparedRecord;
}

/** A record as the organization has it. */
export const toRemote = (
  resource: ConfigurationResource,
  { id, label, data }: RemoteRecord,
): MergedRecord => ({ resource, id, key: id, label, data });

/** A record that only the file has. */
export function toNewRecord(compared: ComparedRecord): MergedRecord {
  const { fileRecord, key, data } = compared;
  const { resource, id, label } = fileRecord;
  return { resource, id, key: toStepReference(key), label, data, fileRecord, compared };
}

/** A record of the file that stays as it is; only names in it follow the merged file. */
export function toKeptRecord({ fileRecord, remote, key, data }: ComparedRecord): MergedRecord {
  const { resource, id, label } = fileRecord;
  return { resource, id, key: remote?.id ?? toStepReference(key), label, data, fileRecord };
}

/**
 * Finds records of the merged file that only fit the file as it was: what the organization changed or deleted makes
 * them invalid.
 */
export function findClashes(
  records: readonly MergedRecord[],
  others: readonly MergedRecord[],
): Map<ComparedRecord, readonly string[]> {
  const keys = new Set([...records, ...others].map(({ key }) => key));
  const clashes = new Map<ComparedRecord, readonly string[]>();
  for (const record of records) {
    const { compared } = record;
    if (compared === undefined) continue;
    const problems = [
      ...findLostReferences(record, keys),
      ...findSameLabel(record, records),
      ...findInvalidMerge(record, compared),
    ];
    if (problems.length > 0) clashes.set(compared, problems);
  }
  return clashes;
}

const describe = ({ resource, label }: MergedRecord, problem: string): string =>
  `${singularNames[resource]} "${label}": ${problem}`;

/** A record of the file refers to one that the organization deleted. */
export function findLostReferences(record: MergedRecord, keys: ReadonlySet<string>): string[] {
  const lost: string[] = [];
  mapReferences(record.resource, record.data, (target, value) => {
    const isLost = parseStepReference(value) !== undefined && !keys.has(value);
    if (isLost && target !== 'accounts')
      lost.push(
        describe(record, `refers to a ${singularNames[target]} that was deleted in the organization`),
      );
    return value;
  });
  return lost;
}

/** A record without an id is recognized by its label alone, and the organization uses it for another record now. */
function findSameLabel(record: MergedRecord, records: readonly MergedRecord[]): string[] {
  const { resource, id, label } = record;
  if (id !== undefined) return [];
  const other = records.find((one) => one !== record && one.resource === resource && one.label === label);
  return other === undefined
    ? []
    : [describe(record, `the organization has another one with this name now (${other.key})`)];
}

/** Each side is valid, but not what the two have changed together. */
function findInvalidMerge(record: MergedRecord, { remote, fields }: ComparedRecord): string[] {
  if (remote === undefined || fields.every(({ origin }) => origin === 'file')) return [];
  const read = parseData(record.resource, record.data);
  return 'problems' in read
    ? read.problems.map((problem) =>
        describe(record, `the changes of both sides do not fit together: ${problem}`),
      )
    : [];
}
