import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { serveSite } from './serve-site.ts';

/* The site as `npm run docs` built it, in Debian's Chromium. */

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const dist = `${root}docs/.vitepress/dist`;

interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  /** Whether the screen is touched: there is neither a mouse nor a keyboard. */
  readonly isTouched?: boolean;
}

export interface Site {
  /** Opens a page. `problems` are its errors, what its policy refused, and requests to other hosts. */
  open(path: string, look: Look): Promise<{ page: Page; problems: string[] }>;
  close(): Promise<void>;
}

export async function openSite(): Promise<Site> {
  if (!existsSync(`${dist}/index.html`)) throw new Error('The site is not built. Run: npm run docs');
  const { origin, server } = await serveSite(dist);
  const browser = await chromium.launch({
    executablePath: process.env.ORGCHAT_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  return {
    async open(path, { colorScheme, width, isTouched = false }) {
      const context = await browser.newContext({
        colorScheme,
        reducedMotion: 'reduce',
        viewport: { width, height: 800 },
        hasTouch: isTouched,
        isMobile: isTouched,
      });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', ({ message }) => problems.push(message));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) problems.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(origin) && !/^(?:blob|data):/.test(request.url()))
          problems.push(`a request to ${request.url()}`);
      });
      await page.goto(origin + path);
      await page.waitForLoadState('networkidle');
      return { page, problems };
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds: WCAG 2.2 A and AA, and best practices. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    interface Violation {
      readonly id: string;
      readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
    }
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
  });
}
