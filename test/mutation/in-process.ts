import { describe } from 'vitest';
import { createMock } from '../../packages/mock-server/src/index.ts';
import { runSuite } from '../../packages/mock-server/test/suite/run-suite.ts';

/* The mock's black-box suite without a socket, and without msw, whose loading takes longer than the tests. */
describe('through mock.fetch', () =>
  runSuite(async (options) => {
    const mock = createMock(options);
    return { mock, baseUrl: mock.baseUrl, fetch: mock.fetch, close: async () => {} };
  }));
