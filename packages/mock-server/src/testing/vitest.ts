import { type TestAPI, test as vitest } from 'vitest';
import { formatRequestLog } from '../request-log/format-request-log.ts';
import { type Fixture, type FixtureOptions, Fixtures } from './fixture.ts';

export type { Fixture, FixtureOptions } from './fixture.ts';
export type { RequestFilter, RequestLogAssertions } from './request-log-assertions.ts';

interface Extension extends Fixture {
  readonly fixture: Fixture;
}

/**
 * Creates vitest's `test` with a sandbox for each test: `test('…', async ({ client, mock, requestLog }) => …)`. Tests of one file
 * share the mock and nothing else. If a test fails, the requests of its sandbox are printed.
 */
export function testWith(options: FixtureOptions = {}): TestAPI<Extension> {
  const fixtures = new Fixtures(options);
  return vitest.extend<Extension>({
    fixture: async ({ task }, use) => {
      const { drop, ...fixture } = await fixtures.make();
      await use(fixture);
      // vitest shows what a test printed beside its failure. Annotations are only possible while a test runs.
      if (task.result?.state === 'fail') console.error(formatRequestLog(fixture.mock));
      drop();
    },
    mock: ({ fixture }, use) => use(fixture.mock),
    client: ({ fixture }, use) => use(fixture.client),
    requestLog: ({ fixture }, use) => use(fixture.requestLog),
    connect: ({ fixture }, use) => use(fixture.connect),
  });
}

/** `testWith()` on the demo organization, without a rate limit. */
export const test: TestAPI<Extension> = testWith();
/** @alias */
export const it: TestAPI<Extension> = test;
