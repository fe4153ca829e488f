import { describe } from 'vitest';
import { createMock } from '../../packages/mock-server/src/index.ts';
import { runBehaviorTests } from '../../packages/mock-server/test/behavior/run-behavior-tests.ts';

/* The behavior tests of the mock without a socket, and without msw, which loads slower than the tests run. */
describe('through mock.fetch', () =>
  runBehaviorTests(async (options) => {
    const mock = createMock(options);
    return { mock, baseUrl: mock.baseUrl, fetch: mock.fetch, close: async () => {} };
  }));
