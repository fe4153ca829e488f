import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FleetEvent } from '@orgchat/sdk';

const owner = new AsyncLocalStorage<readonly FleetEvent[]>();

/**
 * A test with the fleet events of what it starts. Journals that other tests of the process left, whose engines are gone,
 * report theirs as well. The values of a row of `test.each` follow the events.
 */
export const withEvents =
  <Row extends readonly unknown[]>(work: (events: readonly FleetEvent[], ...row: Row) => Promise<void>) =>
  async (...row: Row): Promise<void> => {
    const events: FleetEvent[] = [];
    const listener = (event: unknown): void => {
      if (owner.getStore() === events && (event as FleetEvent).type === 'fleet')
        events.push(event as FleetEvent);
    };
    subscribe('orgchat', listener);
    try {
      await owner.run(events, () => work(events, ...row));
    } finally {
      unsubscribe('orgchat', listener);
    }
  };
