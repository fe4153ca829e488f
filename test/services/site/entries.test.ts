import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dist, openSite, root, type Site } from './open-site.ts';

/* Pages on which a reader looks for one of many entries: the decisions, and the classes and codes of errors. */

const read = (path: string): string => readFileSync(path, 'utf8');

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

describe('the pages', () => {
  it('list each decision by its title, with what was decided in short', () => {
    const page = read(`${dist}/reference/decisions.html`);
    expect(page.match(/<li><a href="[^"]*#D\d+"><small>D\d+\u00a0<\/small>/g)?.length).toBeGreaterThan(90);
    expect(page.match(/<br>\s*<small>/g)?.length).toBeGreaterThan(80);
    expect(page).toMatch(
      /<a href="[^"]*#D2"><small>D2\u00a0<\/small>HEAD, [^<]*<\/a><br>\s*<small>The mock answers 405 /,
    );
  });

  it('say which decisions a server can be asked about', () => {
    const page = read(`${dist}/reference/decisions.html`);
    const [, table = ''] =
      /\| decisions \| asked by \|\n((?:\|.*\n)*)/.exec(read(`${root}spec/DECISIONS.md`)) ?? [];
    const marked = page.matchAll(
      /#(D\d+)"><small>(?:(?!<br>|<\/li>).)*<\/a> <small>can be checked<\/small>/g,
    );
    const asked = table.match(/\bD\d+\b/g) ?? [];
    expect(asked.length).toBeGreaterThan(20);
    expect(Array.from(marked, ([, number]) => number).toSorted()).toEqual(asked.toSorted());
  });

  it('link the groups of decisions above their index', async () => {
    const { page } = await site.open('/reference/decisions', { colorScheme: 'light', width: 1024 });
    const chips = page.locator('.groups a');
    expect(await chips.count()).toBeGreaterThan(10);
    const targets = await chips.evaluateAll((links) => links.map(({ hash }) => hash));
    for (const target of targets) expect(await page.locator(`p${target} + ul`).count()).toBe(1);
    await page.context().close();
  });

  it('leave the decisions with the words that a reader types', async () => {
    const { page } = await site.open('/reference/decisions', { colorScheme: 'light', width: 1024 });
    const shown = page.locator('.vp-doc li:has(> br):visible > a');
    const total = await shown.count();
    expect(total).toBeGreaterThan(90);
    const count = page.locator('.entry-filter output');
    expect(await count.textContent()).toBe(`${total} decisions`);
    await page.getByRole('searchbox').fill('monthly quota');
    expect(await shown.allInnerTexts()).toEqual(['D34\u00a0The monthly quota']);
    expect(await count.textContent()).toBe(`1 of ${total}`);
    await page.getByRole('searchbox').fill('');
    expect(await shown.count()).toBe(total);
    // A row is a link as a whole.
    await page.locator('.vp-doc li:has(> a[href$="#D2"])').click({ position: { x: 500, y: 40 } });
    await page.waitForURL('**/decisions#D2');
    await page.context().close();
  });

  it('leave the classes and codes of errors that a reader looks for, and nothing between them', async () => {
    const { page } = await site.open('/reference/sdk/errors', { colorScheme: 'light', width: 390 });
    const rows = page.locator('.vp-doc tbody tr:visible');
    const total = await rows.count();
    const field = page.getByRole('searchbox');
    await field.fill('upsert_conflict');
    expect(await rows.locator('td:first-child').allInnerTexts()).toEqual(['UPSERT_CONFLICT']);
    expect(await page.locator('.vp-doc h2:visible').getAttribute('id')).toBe('codes');
    expect(await page.locator('.entry-filter ~ * pre:visible').count()).toBe(0);
    await field.fill('PLAN_REQUIRED');
    expect(await rows.count()).toBe(0);
    expect(await page.locator('.entry-filter a').getAttribute('href')).toBe('/reference/error-codes');
    await field.fill('');
    expect(await rows.count()).toBe(total);
    await page.context().close();
  });
});
