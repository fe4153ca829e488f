/** The fields that guard a change. */
export interface RecordGuard {
  readonly expectedRevision: string;
  readonly expectedLabel: string;
}

/**
 * Rows and results without a revision or label, with the fields that the server sent. They are read by their id before
 * they are changed.
 */
const summaries = new WeakMap<object, ReadonlySet<string>>();

/** Remembers that the server sent a record without its guards, and with which fields. */
export const markSummary = (record: object, fields: ReadonlySet<string>): void =>
  void summaries.set(record, fields);

/** Returns the fields of a record that the server sent without its guards; undefined for any other record. */
export const findSummaryFields = (record: object): ReadonlySet<string> | undefined => summaries.get(record);

/** Returns the fields that guard a change to a record; undefined if it does not have them. */
export function findRecordGuard(record: object): RecordGuard | undefined {
  const { revision, label }: { readonly revision?: unknown; readonly label?: unknown } = record;
  return typeof revision === 'string' && typeof label === 'string'
    ? { expectedRevision: revision, expectedLabel: label }
    : undefined;
}
