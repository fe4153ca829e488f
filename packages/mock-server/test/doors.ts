import { setupServer } from 'msw/node';
import { createMock, type Mock, type MockOptions } from '../src/index.ts';
import { handlers } from '../src/msw.ts';

/** A way into a mock: where it is, and a `fetch` that goes there. */
export interface Door {
  readonly mock: Mock;
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly close: () => Promise<void>;
}

/** The three doors; one suite runs through each. */
export const doors: Readonly<
  Record<'HTTP' | 'mock.fetch' | 'msw', (options?: MockOptions) => Promise<Door>>
> = {
  HTTP: async (options) => {
    const mock = createMock(options);
    const server = await mock.listen({ port: 0 });
    return { mock, baseUrl: server.baseUrl, fetch, close: server.close };
  },
  'mock.fetch': async (options) => {
    const mock = createMock(options);
    return { mock, baseUrl: mock.baseUrl, fetch: mock.fetch, close: async () => {} };
  },
  msw: async (options) => {
    const mock = createMock(options);
    const baseUrl = 'https://api.orgchat.example/service/api/v1';
    const server = setupServer(...handlers(mock, baseUrl));
    server.listen({ onUnhandledRequest: 'bypass' });
    return { mock, baseUrl, fetch: (input, init) => fetch(input, init), close: async () => server.close() };
  },
};
