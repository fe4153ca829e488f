import type { Data, EventResource, Stored, StoredResource } from '../server/organization.ts';
import type { Responder } from '../server/start-server.ts';

/** A service as its uses see it: one of the family, or a mock. */
export interface StagedService extends Responder {
  readonly organization: {
    readonly records: Readonly<Record<StoredResource, readonly Stored[]>>;
    readonly events: Readonly<Record<EventResource, readonly Data[]>>;
  };
  /** The changes that were asked for. */
  readonly changes: readonly unknown[];
  /** The number of next requests that are answered 429. */
  limited: number;
}
