import { canonicalJson, onDerivedId } from '../operations/operation-id.ts';
import type { IntentPart } from '../options.ts';

/** Knows which operation ids were derived from the intents of the items of a bulk run. */
export interface BulkIntents {
  /** The intent of the item with this index. */
  create(index: number): readonly IntentPart[];
  /** Notes the ids that are derived from now on, until the returned function is called. */
  listen(): () => void;
  /** Whether an id was derived from the intent of an item, or from that intent with more parts. */
  includes(index: number, operationId: string | undefined): boolean;
}

export function createBulkIntents(intent: readonly IntentPart[]): BulkIntents {
  const start = canonicalJson(intent);
  const indexes = new Map<string, number>();
  return {
    create: (index) => [...intent, index],
    listen: () =>
      onDerivedId((operationId, parts) => {
        const isOfRun = canonicalJson(parts.slice(0, intent.length)) === start;
        // The attempts of an edit have ids that are derived from the id of its intent.
        const index = isOfRun ? parts[intent.length] : indexes.get(String(parts[0]));
        if (typeof index === 'number') indexes.set(operationId, index);
      }),
    includes: (index, operationId = '') => indexes.get(operationId) === index,
  };
}
