import type { Stored, StoredResource } from '../server/organization.ts';
import type { Presentation } from '../server/service.ts';
import type { Choices } from './axes.ts';
import { writeError } from './present-errors.ts';
import { writePage } from './present-pages.ts';
import { writeEvent, writeRecord } from './present-records.ts';

/** How a member of the family writes its answers. */
export function createPresentation(choices: Choices): Presentation {
  const write = (resource: string, record: object, isRow: boolean): object =>
    'identity' in record
      ? writeRecord(resource as StoredResource, record as Stored, choices, { isRow })
      : writeEvent(record as Readonly<Record<string, unknown>>, choices);
  return {
    list: (resource, matches, query) =>
      writePage(
        matches.map((match) => write(resource, match, true)),
        query,
        choices,
      ),
    one(resource, stored) {
      const record = write(resource, stored, false);
      const frames = {
        root: record,
        records: { records: [record] },
        record: { record },
        item: { item: record },
      };
      return frames[choices.one];
    },
    result(action, { resource, record }) {
      const written = write(resource, record, false);
      const identity = writeEvent(
        'identity' in record ? (record as Stored).identity : { id: record.id },
        choices,
      );
      const { revision } = record as Partial<Stored>;
      const isDeletion = action === 'delete-configuration';
      const results = {
        record: isDeletion ? { ...identity, deleted: true } : written,
        id: identity,
        'id and revision': isDeletion ? identity : { ...identity, revision },
        null: null,
        absent: undefined,
      };
      return results[choices.result];
    },
    error: (refusal) => writeError(refusal, choices),
  };
}
