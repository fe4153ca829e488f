import type { TestContext } from 'node:test';
import { type Fixture, type FixtureOptions, Fixtures } from './testing/fixture.ts';

export type { Fixture, FixtureOptions } from './testing/fixture.ts';
export type { RequestFilter, RequestLogAssertions } from './testing/request-log-assertions.ts';

const byOptions = new WeakMap<FixtureOptions, Fixtures>();
const defaultOptions: FixtureOptions = {};

/**
 * Creates a sandbox for one test of `node:test` and removes it when the test is over:
 * `const { client, mock, requestLog } = await fixture(t)`. Tests that pass the same options object share the mock that
 * their sandboxes are forked from, and nothing else.
 */
export async function fixture(t: TestContext, options: FixtureOptions = defaultOptions): Promise<Fixture> {
  const fixtures = byOptions.get(options) ?? new Fixtures(options);
  byOptions.set(options, fixtures);
  const { drop, ...newFixture } = await fixtures.make();
  t.after(drop);
  return newFixture;
}
