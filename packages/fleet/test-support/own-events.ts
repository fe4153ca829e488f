import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FleetEvent } from '@orgchat/sdk';

const owner = new AsyncLocalStorage<readonly FleetEvent[]>();

/**
 * A test with the fleet events of what it starts. Journals that other tests of the process left, whose engines are gone,
 * report theirs as well.
 */
export const withEvents =
  (work: (events: readonly FleetEvent[]) => Promise<void>) => async (): Promise<void> => {
    const events: FleetEvent[] = [];
    const listener = (event: unknown): void => {
      if (owner.getStore() === events) events.push(event as FleetEvent);
    };
    subscribe('orgchat', listener);
    try {
      await owner.run(events, () => work(events));
    } finally {
      unsubscribe('orgchat', listener);
    }
  };
