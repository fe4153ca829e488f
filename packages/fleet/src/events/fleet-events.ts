import { channel } from 'node:diagnostics_channel';
import type { FleetEvent } from '@orgchat/sdk';

/** A store, by the function that creates it. */
export type StoreName = 'postgresJournal' | 'postgresPacing' | 'outbox' | 'redisJournal' | 'redisPacing';

/** What all stores of one engine share, such as the lock of this process. */
export type EngineName = 'postgres' | 'redis';

/** The channel of all events of the SDK, and the one from which its clients pass these on. */
const channels = [channel('orgchat'), channel('orgchat.fleet')];

/** Publishes an event of a store for everybody in this process. */
export function emitFleetEvent(
  event: FleetEvent['event'],
  store: StoreName | EngineName,
  operationId?: string,
): void {
  const message: FleetEvent = { type: 'fleet', event, store, ...(operationId && { operationId }) };
  for (const target of channels) target.publish(message);
}
