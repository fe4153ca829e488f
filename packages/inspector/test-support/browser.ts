import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createMock, type Listening, type Mock, type MockOptions } from '@orgchat/mock-server';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

/* The inspector in Debian's Chromium, as `npm run test:services` installs it. */

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const launchOptions = {
  executablePath: process.env.ORGCHAT_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

export interface Inspected {
  readonly mock: Mock;
  readonly server: Listening;
  readonly page: Page;
  /** What the browser reported: errors of the page and what its Content-Security-Policy refused. */
  readonly problems: string[];
}

interface InspectOptions extends BrowserContextOptions {
  readonly mock?: MockOptions;
  /** Where to begin: `faults`. */
  readonly panel?: string;
}

export interface BrowserTools {
  /** Starts a mock, and opens its inspector. Both are closed after the test. */
  inspect(options?: InspectOptions): Promise<Inspected>;
  readonly browser: Browser;
}

/** A browser for the tests of a file. */
export function useBrowser(): BrowserTools {
  let browser: Browser;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    browser = await chromium.launch(launchOptions);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(() => browser.close());
  return {
    get browser() {
      return browser;
    },
    async inspect({ mock: mockOptions, panel, ...contextOptions } = {}) {
      const mock = createMock({ rateLimit: 'off', ...mockOptions });
      const server = await mock.listen({ port: 0 });
      closing.push(() => server.close());
      const context = await browser.newContext({ reducedMotion: 'reduce', ...contextOptions });
      closing.push(() => context.close());
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) problems.push(message.text());
      });
      await page.goto(panel === undefined ? server.inspectorUrl : `${server.inspectorUrl}#/${panel}`);
      return { mock, server, page, problems };
    },
  };
}

/** What axe finds in the page as it is: each as rule, element and reason. WCAG 2.2 A and AA, and best practices. */
export async function findViolations(page: Page): Promise<string[]> {
  // Evaluated by the browser's tools, to which the Content-Security-Policy of the page does not apply.
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    interface Node {
      readonly target: readonly string[];
      readonly failureSummary: string;
    }
    interface Result {
      readonly violations: readonly { readonly id: string; readonly nodes: readonly Node[] }[];
    }
    const { axe } = globalThis as unknown as { axe: { run(): Promise<Result> } };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
  });
}
