import { type TestAPI, test as vitest } from 'vitest';
import { type Fixture, type FixtureOptions, Fixtures } from './testing/fixture.ts';

export type { Fixture, FixtureOptions } from './testing/fixture.ts';
export type { RequestFilter, RequestLogAssertions } from './testing/request-log-assertions.ts';

interface Extension extends Fixture {
  readonly fixture: Fixture;
}

/**
 * Creates vitest's `test` with a sandbox for each test: `test('…', async ({ client, mock, requestLog }) => …)`. Tests of one file
 * share the mock and nothing else.
 */
export function testWith(options: FixtureOptions = {}): TestAPI<Extension> {
  const fixtures = new Fixtures(options);
  return vitest.extend<Extension>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of what a fixture needs out of it.
    fixture: async ({}, use) => {
      const { drop, ...fixture } = await fixtures.make();
      await use(fixture);
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
