import type { TestContext } from 'node:test';
import { type Fixture, type FixtureOptions, Fixtures } from './fixture.ts';

export type { Fixture, FixtureOptions } from './fixture.ts';
export type { JournalAssertions, Sought } from './journal/assertions.ts';

const byOptions = new WeakMap<FixtureOptions, Fixtures>();
const usual: FixtureOptions = {};

/**
 * A world for one test of `node:test`, gone when the test is over:
 * `const { client, mock, journal } = await fixture(t)`. Tests that give the same options object share the mock it
 * is forked from, and nothing else.
 */
export async function fixture(t: TestContext, options: FixtureOptions = usual): Promise<Fixture> {
  const fixtures = byOptions.get(options) ?? new Fixtures(options);
  byOptions.set(options, fixtures);
  const { drop, ...made } = await fixtures.make();
  t.after(drop);
  return made;
}
