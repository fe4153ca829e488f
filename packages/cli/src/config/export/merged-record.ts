import type { ConfigurationResource } from '@orgchat/spec';
import type { WrittenRecord } from '../file/export-content.ts';
import type { RemoteRecord } from '../organization.ts';
import type { ComparedRecord } from '../plan/compare-records.ts';
import { toStepReference } from '../plan/step-reference.ts';

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
