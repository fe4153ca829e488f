import { afterAll, beforeAll, expect, it } from 'vitest';
import { findViolations, openSite, type Site } from './open-site.ts';

/* What is around the pages: the header with the search, the sidebar, and the page of an address that leads to nothing. */

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

it('shows the keys of the search in its field, but not on a screen that is touched', async () => {
  const readKeys = async (isTouched: boolean): Promise<string> => {
    const { page } = await site.open('/', { colorScheme: 'light', width: 1024, isTouched });
    const keys = await page
      .getByRole('button', { name: 'Search' })
      .evaluate((field) => field.ownerDocument.defaultView.getComputedStyle(field, '::after').content);
    await page.context().close();
    return keys;
  };
  expect(await readKeys(false)).toContain('Ctrl K');
  expect(await readKeys(true)).toBe('none');
});

it('finds pages by words in them', async () => {
  const { page } = await site.open('/', { colorScheme: 'light', width: 1024 });
  await page.keyboard.press('Control+k');
  await page.locator('#localsearch-input').fill('OutcomeUnknownError');
  await page.locator('#localsearch-list a').first().waitFor();
  expect(await page.locator('#localsearch-list a').count()).toBeGreaterThan(2);
  // What was searched is marked by a line, in the color of the title.
  const colors = await page
    .locator('#localsearch-list .title.main')
    .first()
    .evaluate((title) =>
      [title, title.querySelector('mark')].map(
        (one) => title.ownerDocument.defaultView.getComputedStyle(one).color,
      ),
    );
  expect(colors[1]).toBe(colors[0]);
  await page.context().close();
});

it('offers pages where an address leads to nothing', async () => {
  const { page } = await site.open('/how-to/nothing', { colorScheme: 'light', width: 1440 });
  const main = page.locator('main');
  expect(await main.locator('h1').textContent()).toBe('There is no such page');
  expect(await main.locator('code').textContent()).toBe('/how-to/nothing');
  expect(await findViolations(page)).toEqual([]);
  const links = await main.locator('a').evaluateAll((found) => found.map(({ href }) => href));
  expect(links).toHaveLength(4);
  for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
  await main.getByRole('button', { name: 'Search' }).click();
  await page.locator('#localsearch-input').waitFor();
  await page.context().close();
});

it.each(['/reference/sdk/errors', '/reference/decisions', '/reference/sdk-api/classes/NotFoundError'])(
  'the sidebar shows where %s is, without being scrolled',
  async (path) => {
    const { page } = await site.open(path, { colorScheme: 'light', width: 1440 });
    const entry = page.locator('.VPSidebarItem.is-link.is-active > .item');
    expect(await entry.locator('a').getAttribute('href')).toBe(path);
    await expect
      .poll(() => entry.evaluate((element) => element.getBoundingClientRect().bottom))
      .toBeLessThan(800);
    await page.context().close();
  },
);
