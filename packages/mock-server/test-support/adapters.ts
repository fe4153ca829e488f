import { setupServer } from 'msw/node';
import { createMock, type Mock, type MockOptions } from '../src/index.ts';
import { handlers } from '../src/msw.ts';

/** A mock behind an adapter: its base URL, and a `fetch` that calls it. */
export interface ServedMock {
  readonly mock: Mock;
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly close: () => Promise<void>;
}

/** The three ways to call a mock. */
export const adapters: Readonly<
  Record<'HTTP' | 'mock.fetch' | 'msw', (options?: MockOptions) => Promise<ServedMock>>
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
