import {
  type BrowserContext,
  test as base,
  type Page,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test';
import type { Mock } from '../mock-interface.ts';
import { formatRequestLog } from '../request-log/format-request-log.ts';
import { type Fixture, type FixtureOptions, Fixtures } from './fixture.ts';
import { routeToMock } from './route-to-mock.ts';

export type { Fixture, FixtureOptions } from './fixture.ts';
export type { RequestFilter, RequestLogAssertions } from './request-log-assertions.ts';

/** What a Playwright test gets. */
export interface PlaywrightFixture extends Fixture {
  /** The HTTP addresses of the sandbox, for the programs under test. */
  readonly urls: { readonly baseUrl: string; readonly controlUrl: string };
  /**
   * Lets the sandbox of this test answer what a page or a browser context sends below `baseUrl`:
   * `await routeApi(page, 'https://api.example.com/api/v1')`.
   */
  readonly routeApi: (target: Page | BrowserContext, baseUrl: string) => Promise<void>;
}

interface TestFixtures extends PlaywrightFixture {
  readonly orgchatFixture: Fixture;
}
interface WorkerFixtures {
  /** The mock of this worker, and the server that makes it reachable. */
  readonly orgchatServer: { readonly fixtures: Fixtures; readonly origin: string };
}

/** Playwright's `test` with the fixtures of this package. */
export type PlaywrightTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
>;

/**
 * Creates Playwright's `test` with a sandbox for each test: `test('…', async ({ client, mock, page }) => …)`. Each worker
 * has a server on a free port, so other programs can use the sandbox at `urls.baseUrl`. If a test fails, the requests of
 * its sandbox are attached to its report.
 */
export function testWith(options: FixtureOptions = {}): PlaywrightTest {
  return base.extend<TestFixtures, WorkerFixtures>({
    orgchatServer: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs out of it.
      async ({}, use) => {
        const fixtures = new Fixtures(options);
        const server = await (await fixtures.root()).listen({ port: 0 });
        await use({ fixtures, origin: new URL(server.baseUrl).origin });
        await server.close();
      },
      { scope: 'worker' },
    ],
    orgchatFixture: async ({ orgchatServer }, use, testInfo) => {
      const { drop, ...fixture } = await orgchatServer.fixtures.make();
      await use(fixture);
      if (testInfo.status !== testInfo.expectedStatus) await attachRequestLog(testInfo, fixture.mock);
      drop();
    },
    mock: ({ orgchatFixture }, use) => use(orgchatFixture.mock),
    client: ({ orgchatFixture }, use) => use(orgchatFixture.client),
    requestLog: ({ orgchatFixture }, use) => use(orgchatFixture.requestLog),
    connect: ({ orgchatFixture }, use) => use(orgchatFixture.connect),
    urls: ({ orgchatFixture, orgchatServer }, use) => {
      const { pathname } = new URL(orgchatFixture.mock.baseUrl);
      const baseUrl = `${orgchatServer.origin}${pathname}`;
      return use({ baseUrl, controlUrl: baseUrl.replace(/\/api\/v1$/, '/_mock') });
    },
    routeApi: ({ orgchatFixture }, use) =>
      use((target, baseUrl) => routeToMock(target, baseUrl, orgchatFixture.mock)),
  });
}

/** Attaches the requests twice: as a text that reporters show, and as JSON with everything that the log has. */
async function attachRequestLog(
  testInfo: { attach(name: string, content: { body: string; contentType: string }): Promise<void> },
  mock: Mock,
): Promise<void> {
  await testInfo.attach('orgchat-requests.txt', { body: formatRequestLog(mock), contentType: 'text/plain' });
  await testInfo.attach('orgchat-requests.json', {
    body: JSON.stringify(mock.requests.list(), null, 2),
    contentType: 'application/json',
  });
}

/** `testWith()` on the demo organization, without a rate limit. */
export const test: PlaywrightTest = testWith();
/** @alias */
export const it: PlaywrightTest = test;
