import { afterEach } from 'vitest';
import { createMock, type Listening, type Mock } from '../src/index.ts';
import { Caller } from './caller.ts';
import { EventReader } from './event-reader.ts';

interface Served {
  readonly mock: Mock;
  readonly server: Listening;
  readonly caller: Caller;
}

/** Mocks that listen until the end of a test, and readers of their events. */
export function useEvents() {
  const opened: Listening[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((server) => server.close())));
  return {
    async serve(mock: Mock = createMock({ rateLimit: 'off' })): Promise<Served> {
      const server = await mock.listen({ port: 0 });
      opened.push(server);
      return { mock, server, caller: new Caller({ baseUrl: server.baseUrl, fetch }) };
    },
    /** Returns what opens the events of the served mock, or of a sandbox of it. */
    openBy:
      (adapter: 'HTTP' | 'mock.fetch') =>
      async (mock: Mock, lastEventId?: string): Promise<EventReader> => {
        const options = lastEventId === undefined ? {} : { lastEventId };
        if (adapter === 'mock.fetch')
          return EventReader.open(mock.controlUrl, { ...options, fetch: mock.fetch });
        const [server] = opened;
        return EventReader.open(mock.addresses(server?.url ?? '').controlUrl, options);
      },
  };
}
