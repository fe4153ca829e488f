import { onDerivedId } from '../write/operation-id.ts';

/**
 * The operation ids that were derived during a bulk run, from an intent or, by `upsert()`, from the data. An item that
 * runs again derives the same id. It would make a random one again, and with it a second change.
 */
export interface DerivedIds {
  /** Notes the ids that are derived from now on, until the returned function is called. */
  listen(): () => void;
  includes(operationId: string | undefined): boolean;
}

export function createDerivedIds(): DerivedIds {
  const ids = new Set<string>();
  return {
    listen: () => onDerivedId((operationId) => void ids.add(operationId)),
    includes: (operationId = '') => ids.has(operationId),
  };
}
