import { labelFields } from '../generated/resources.ts';
import type { ConfigurationResource } from '../types.ts';
import { containsData } from './contains-data.ts';

/* How labels are compared. The CLI finds records by the same rule. */

/**
 * Returns the form in which labels are compared: without white space around it, as the server keeps it, and in NFC. The
 * same name can come as NFD from a file name of macOS, and nobody sees the difference.
 */
export const toComparableLabel = (label: string): string => label.trim().normalize('NFC');

/** Returns whether a record, as a server sent it, has the label. */
export const isSameLabel = (sent: unknown, label: string): boolean =>
  typeof sent === 'string' && toComparableLabel(sent) === toComparableLabel(label);

/** Returns items by their label, in the form in which labels are compared. */
export function groupByLabel<T>(
  items: Iterable<T>,
  getLabel: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const label = toComparableLabel(getLabel(item));
    const group = groups.get(label);
    if (group) group.push(item);
    else groups.set(label, [item]);
  }
  return groups;
}

/** Returns the label of data, trimmed: the field that names a record. Empty if it is missing. */
export function getDataLabel(resource: ConfigurationResource, data: object): string {
  const label = (data as Readonly<Record<string, unknown>>)[labelFields[resource]];
  return typeof label === 'string' ? label.trim() : '';
}

/** Returns data with its label in the form in which it is compared. Data are sent as they were given. */
export function withComparableLabel<T extends object>(resource: ConfigurationResource, data: T): T {
  const field = labelFields[resource];
  const label = (data as Readonly<Record<string, unknown>>)[field];
  return typeof label === 'string' ? { ...data, [field]: toComparableLabel(label) } : data;
}

/** Returns whether a record has the data that are given, in any form of its label. */
export function hasRecordData(resource: ConfigurationResource, record: object, data: object): boolean {
  return containsData(
    { ...withComparableLabel(resource, record) },
    { ...withComparableLabel(resource, data) },
  );
}
