import { formatRequestLog } from '../request-log/format-request-log.ts';
import { type Fixture, type FixtureOptions, Fixtures } from './fixture.ts';

export type { Fixture, FixtureOptions } from './fixture.ts';
export type { RequestFilter, RequestLogAssertions } from './request-log-assertions.ts';

/** What a fixture uses of the context of a test. It is declared here, so that a user needs no types of Node. */
interface TestContext {
  /** Absent before Node 20.12. */
  readonly passed?: boolean;
  after(callback: () => void): void;
  diagnostic(message: string): void;
}

const byOptions = new WeakMap<FixtureOptions, Fixtures>();
const defaultOptions: FixtureOptions = {};

/**
 * Creates a sandbox for one test of `node:test` and removes it when the test is over:
 * `const { client, mock, requestLog } = await fixture(t)`. Tests that pass the same options object share the mock that
 * their sandboxes are forked from, and nothing else. If a test fails, the requests of its sandbox are in its diagnostics.
 */
export async function fixture(t: TestContext, options: FixtureOptions = defaultOptions): Promise<Fixture> {
  const fixtures = byOptions.get(options) ?? new Fixtures(options);
  byOptions.set(options, fixtures);
  const { drop, ...newFixture } = await fixtures.make();
  t.after(() => {
    if (t.passed === false)
      for (const line of formatRequestLog(newFixture.mock).split('\n')) t.diagnostic(line);
    drop();
  });
  return newFixture;
}
