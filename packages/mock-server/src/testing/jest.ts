import { expect, test as jestTest } from '@jest/globals';
import { formatRequestLog } from '../request-log/format-request-log.ts';
import { type Fixture, type FixtureOptions, Fixtures } from './fixture.ts';

export type { Fixture, FixtureOptions } from './fixture.ts';
export type { RequestFilter, RequestLogAssertions } from './request-log-assertions.ts';

/** A test with a sandbox of its own. */
export type FixtureTest = (fixture: Fixture) => Promise<unknown> | unknown;

/** Defines a test. `timeoutMs` replaces Jest's timeout. */
export type DefineTest = (name: string, test: FixtureTest, timeoutMs?: number) => void;

/** Jest's `test` with a sandbox for each test. */
export interface TestApi extends DefineTest {
  readonly only: DefineTest;
  readonly skip: DefineTest;
  /** Passes if the test fails. */
  readonly failing: DefineTest;
  readonly concurrent: DefineTest;
  readonly todo: (name: string) => void;
  /**
   * Defines a test for each row: `test.each([1, 2])('%d tags', async ({ client }, count) => { … })`. A row that is an
   * array is spread.
   */
  readonly each: <Row>(
    rows: readonly Row[],
  ) => (
    name: string,
    test: (
      fixture: Fixture,
      ...row: Row extends readonly unknown[] ? Row : [Row]
    ) => Promise<unknown> | unknown,
    timeoutMs?: number,
  ) => void;
}

/**
 * Creates Jest's `test` with a sandbox for each test: `test('…', async ({ client, mock, requestLog }) => …)`. Tests of one
 * file share the mock and nothing else. If a test fails, the requests of its sandbox are printed.
 */
export function testWith(options: FixtureOptions = {}): TestApi {
  const fixtures = new Fixtures(options);

  async function run(test: (fixture: Fixture) => unknown, isReported: boolean): Promise<void> {
    const { drop, ...fixture } = await fixtures.make();
    try {
      await test(fixture);
    } catch (error) {
      // Jest shows what a file printed beside its failures. It takes the text of an error before anyone can add to it.
      if (isReported) console.error(`${getTestName()}${formatRequestLog(fixture.mock)}`);
      throw error;
    } finally {
      drop();
    }
  }

  // Jest passes a callback to functions with a parameter, so each function that it gets has none.
  const define =
    (
      how: (name: string, test: () => Promise<void>, timeoutMs?: number) => void,
      isReported = true,
    ): DefineTest =>
    (name, test, timeoutMs) =>
      how(name, () => run(test, isReported), timeoutMs);
  return Object.assign(
    define((...test) => jestTest(...test)),
    {
      only: define((...test) => jestTest.only(...test)),
      skip: define((...test) => jestTest.skip(...test)),
      failing: define((...test) => jestTest.failing(...test), false),
      concurrent: define((...test) => jestTest.concurrent(...test)),
      todo: (name: string) => void jestTest.todo(name),
      each:
        (rows: readonly unknown[]) =>
        (name: string, test: (...row: unknown[]) => unknown, timeoutMs?: number) =>
          jestTest.each(rows)(
            name,
            (...row: unknown[]) => run((fixture) => test(fixture, ...row), true),
            timeoutMs,
          ),
    },
  ) as TestApi;
}

/** The name of the running test, if Jest says it. */
function getTestName(): string {
  const name = expect.getState().currentTestName;
  return name === undefined ? '' : `${name}\n`;
}

/** `testWith()` on the demo organization, without a rate limit. */
export const test: TestApi = testWith();
/** @alias */
export const it: TestApi = test;
