import { existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveSite } from './serve-site.ts';

/* The site as `npm run docs` built it, in Debian's Chromium. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const dist = `${root}docs/.vitepress/dist`;
const read = (path: string): string => readFileSync(path, 'utf8');
const axeSource = read(createRequire(import.meta.url).resolve('axe-core/axe.min.js'));

let origin: string;
let server: Server;
let browser: Browser;

beforeAll(async () => {
  if (!existsSync(`${dist}/index.html`)) throw new Error('The site is not built. Run: npm run docs');
  ({ origin, server } = await serveSite(dist));
  browser = await chromium.launch({
    executablePath: process.env.ORGCHAT_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
});

afterAll(async () => {
  await browser.close();
  server.close();
});

interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

/** Opens a page. `problems` are its errors, what its policy refused, and requests to other hosts. */
async function open(path: string, { colorScheme, width }: Look): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({
    colorScheme,
    reducedMotion: 'reduce',
    viewport: { width, height: 800 },
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
}

/** What axe finds: WCAG 2.2 A and AA, and best practices. */
async function findViolations(page: Page): Promise<string[]> {
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

const looked = [
  '/',
  '/playground',
  '/tutorial/start/try-it',
  '/how-to/recipes/webhook-handler',
  '/reference/sdk/errors',
  '/reference/commands/config',
  '/reference/decisions',
  '/explanation/sdk/writes',
  '/reference/sdk-api/',
  '/api/index.html',
];

describe.each([
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 320 },
] as const)('in $colorScheme, $width px wide', (look) => {
  it.each(looked)('%s is accessible, fits, and loads nothing from other hosts', async (path) => {
    const { page, problems } = await open(path, look);
    if (path.startsWith('/api/')) await page.locator('#reference h1').waitFor();
    const html = page.locator('html');
    const excess = await html.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(excess).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('the playground', () => {
  it.each([
    ['Lost answer', /replayed: true\ntags named Spring: 1$/, /no answer[\s\S]*stored answer was returned/],
    ['Conflict', /update: STALE_REVISION\nedit: Spring sale green$/, /409 STALE_REVISION/],
    ['Rate limit', /^third request: RATE_LIMITED\na minute later: Demo write key$/, /429 RATE_LIMITED/],
    ['Two tabs', /same record: true\ntags named Order A-17: 1$/, /stored answer was returned/],
  ])('%s runs in a worker, and the log says why', async (preset, output, log) => {
    const { page, problems } = await open('/playground', { colorScheme: 'light', width: 1024 });
    await page.getByRole('button', { name: preset }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    expect((await page.locator('.output p').allInnerTexts()).join('\n')).toMatch(output);
    expect(await page.locator('.log').textContent()).toMatch(log);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('reports what is wrong with the code, cannot reach another host, and stops', async () => {
    const { page, problems } = await open('/playground', { colorScheme: 'light', width: 1024 });
    const run = async (code: string): Promise<string> => {
      await page.locator('textarea').fill(code);
      await page.locator('textarea').press('Control+Enter');
      await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
      return (await page.locator('.output p').allInnerTexts()).join('\n');
    };
    expect(await run('let x = ;')).toMatch(/^The code has a syntax error/);
    expect(await run("throw new RangeError('no');")).toBe('RangeError: no');
    expect(await run("await fetch('https://example.com/');")).toMatch(/^TypeError: /);
    expect(problems.filter((problem) => problem.startsWith('a request'))).toEqual([]);
    await page.context().close();
  });
});

describe('the pages', () => {
  it('have an address for each clause and each decision', () => {
    const ids = (page: string): Set<string> =>
      new Set(
        Array.from(read(`${dist}/reference/${page}.html`).matchAll(/ id="([^"]+)"/g), ([, id = '']) => id),
      );
    const decisions = read(`${root}spec/DECISIONS.md`);
    const clauses = [...read(`${root}spec/SPECIFICATION.md`).matchAll(/\*\*(\d+(?:\.\d+)+)\*\*/g)];
    const numbers = [...decisions.matchAll(/^### (D\d+) /gm)];
    const lost = (found: readonly RegExpMatchArray[], there: ReadonlySet<string>): string[] =>
      found.map(([, number = '']) => number).filter((number) => !there.has(number));
    expect([clauses.length > 300, numbers.length > 80]).toEqual([true, true]);
    expect(lost(clauses, ids('specification'))).toEqual([]);
    expect(lost(numbers, ids('decisions'))).toEqual([]);
  });

  it('are where the first page and the navigation say', async () => {
    const { page } = await open('/', { colorScheme: 'light', width: 1440 });
    const links = await page.locator('a[href^="/"]').evaluateAll((found) => found.map(({ href }) => href));
    expect(links.length).toBeGreaterThan(10);
    for (const link of new Set(links)) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    await page.context().close();
  });

  it('have twins in Markdown, which llms.txt lists', () => {
    const list = read(`${dist}/llms.txt`);
    const twins = Array.from(list.matchAll(/\]\((\/[^)]+\.md)\)/g), ([, path = '']) => path);
    expect(twins.length).toBeGreaterThan(100);
    expect(twins.filter((path) => !existsSync(dist + path))).toEqual([]);
  });

  it('are found by words in them', async () => {
    const { page } = await open('/', { colorScheme: 'light', width: 1024 });
    await page.keyboard.press('Control+k');
    await page.locator('#localsearch-input').fill('OutcomeUnknownError');
    await page.locator('#localsearch-list a').first().waitFor();
    expect(await page.locator('#localsearch-list a').count()).toBeGreaterThan(2);
    await page.context().close();
  });
});
