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

it.each(['Did my write happen', 'Write outcomes'])('finds the page about outcomes by %s', async (words) => {
  const { page } = await site.open('/', { colorScheme: 'light', width: 1024 });
  await page.keyboard.press('Control+k');
  await page.locator('#localsearch-input').fill(words);
  await page.locator('#localsearch-list a').first().waitFor();
  const links = await page
    .locator('#localsearch-list a')
    .evaluateAll((found) => found.map(({ pathname }) => pathname));
  expect(links).toContain('/reference/sdk/writes');
  await page.context().close();
});

it('offers pages where an address leads to nothing', async () => {
  const { page } = await site.open('/how-to/nothing', { colorScheme: 'light', width: 1440 });
  const main = page.locator('main');
  expect(await main.locator('h1').textContent()).toBe('Page not found');
  expect(await main.locator('code').textContent()).toBe('/how-to/nothing');
  expect(await findViolations(page)).toEqual([]);
  const links = await main.locator('a').evaluateAll((found) => found.map(({ href }) => href));
  expect(links).toHaveLength(4);
  for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
  await main.getByRole('button', { name: 'Search' }).click();
  await page.locator('#localsearch-input').waitFor();
  await page.context().close();
});

it.each([
  '/reference/sdk/errors',
  '/reference/sdk/writes',
  '/reference/decisions',
  '/reference/sdk-api/classes/NotFoundError',
])('the sidebar shows where %s is, without being scrolled', async (path) => {
  const { page } = await site.open(path, { colorScheme: 'light', width: 1440 });
  const entry = page.locator('.VPSidebarItem.is-link.is-active > .item');
  expect(await entry.locator('a').getAttribute('href')).toBe(path);
  await expect
    .poll(() => entry.evaluate((element) => element.getBoundingClientRect().bottom))
    .toBeLessThan(800);
  await page.context().close();
});

it('the sidebar opens only the group of the page', async () => {
  const { page } = await site.open('/how-to/recipes/webhook-handler', { colorScheme: 'light', width: 1440 });
  const open = page.locator('.VPSidebarItem.collapsible:not(.collapsed) > .item');
  expect(await open.allInnerTexts()).toEqual(['Change records once']);
  await page.context().close();
});

it('the sidebar has the commands by what they are for', async () => {
  const { page } = await site.open('/reference/commands/config', { colorScheme: 'light', width: 1440 });
  const open = page.locator('.VPSidebarItem.collapsible:not(.collapsed) > .item');
  expect(await open.allInnerTexts()).toEqual(['Commands', 'Messaging configuration']);
  await page.context().close();
});

it('the contents of a page show the section that is read, and only its parts', async () => {
  const { page } = await site.open('/reference/sdk-api/interfaces/OrgChatClient', {
    colorScheme: 'light',
    width: 1440,
  });
  const contents = page.locator('.VPDocAsideOutline');
  const current = contents.locator('[aria-current="location"]');
  const parts = contents.locator('.nested a:visible');
  await expect.poll(() => current.count()).toBe(1);
  const first = await parts.allInnerTexts();
  const headings = page.locator('.vp-doc h2');
  const index = (await headings.count()) - 1;
  const last = headings.nth(index);
  const name = await contents.locator('.root > li > a').nth(index).textContent();
  await last.evaluate((heading) => heading.scrollIntoView());
  await expect.poll(async () => (await parts.allInnerTexts()).join()).not.toBe(first.join());
  expect(await contents.locator('.root > li:has([aria-current]) > a').textContent()).toBe(name);
  await page.context().close();
});

it.each(['/', '/playground', '/reference/sdk/errors'])('%s says which version it is about', async (path) => {
  const { page } = await site.open(path, { colorScheme: 'light', width: 1440 });
  const footer = page.locator('footer.VPFooter');
  expect(await footer.isVisible()).toBe(true);
  expect(await footer.textContent()).toMatch(/orgchat \d+\.\d+\.\d+/);
  await page.context().close();
});

it.each([
  ['/reference/api/', 390],
  ['/reference/api/', 1280],
  ['/how-to/adopt-the-mock', 390],
  ['/how-to/adopt-the-mock', 1280],
  ['/how-to/ci', 1280],
])(
  'code of %s can be copied by a button that is seen and not over the code: %d px wide',
  async (path, width) => {
    const { page } = await site.open(path, { colorScheme: 'light', width, isTouched: width < 400 });
    const buttons = await page
      .locator('.vp-doc div[class*="language-"]:not(.output, .signature):visible')
      .evaluateAll((blocks) =>
        blocks.map((block) => {
          const button = block.querySelector('button.copy');
          const code = block.querySelector('.line')?.getBoundingClientRect();
          if (button === null || code === undefined) return 'no button';
          const { top, height } = button.getBoundingClientRect();
          const { opacity } = block.ownerDocument.defaultView.getComputedStyle(button);
          if (Number(opacity) < 0.7) return 'not seen';
          return top + height > code.top + 4 ? 'over the code' : 'beside the code';
        }),
      );
    expect(buttons.length).toBeGreaterThan(1);
    expect([...new Set(buttons)]).toEqual(['beside the code']);
    await page.context().close();
  },
);

it('commands are copied without what is only shown, by keyboard, too', async () => {
  const { page } = await site.open('/tutorial/lost-answer', { colorScheme: 'light', width: 1280 });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const block = page.locator('.vp-doc div.language-sh').nth(1);
  expect(await block.locator('.lang').textContent()).toBe('Terminal');
  await block.locator('button.copy').press('Enter');
  await expect
    .poll(() => block.evaluate((element) => element.ownerDocument.defaultView.navigator.clipboard.readText()))
    .toBe('cd ../lost-answer\nnpm init --yes\nnpm install ./packages/*.tgz tsx');
  await page.context().close();
});

it('says above code what it is, unless a tab or a file name does', async () => {
  const { page } = await site.open('/how-to/adopt-the-mock', { colorScheme: 'light', width: 1280 });
  const labels = await page.locator('.vp-doc div[class*="language-"] > .lang:visible').allInnerTexts();
  expect([...new Set(labels)].sort()).toEqual(['Output', 'Terminal']);
  expect(await page.locator('.vp-code-group .lang:visible').count()).toBe(0);
  await page.context().close();
});
