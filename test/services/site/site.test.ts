import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dist, findViolations, openSite, root, type Site } from './open-site.ts';

/* The pages of the site. */

const read = (path: string): string => readFileSync(path, 'utf8');

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** Names, flags and codes in texts that are on two lines, if a line has room for them. */
const findBrokenWords = (page: Page): Promise<string[]> =>
  page.locator('.vp-doc :not(pre) > code').evaluateAll((codes) =>
    codes.flatMap((code) => {
      const words: string[] = [];
      const texts = code.ownerDocument.createTreeWalker(code, 4 /* text */);
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
        for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\S+/g)) {
          const range = code.ownerDocument.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
          if (lines.size > 1 && word.length <= 26) words.push(word);
        }
      return words;
    }),
  );

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function findBox(page: Page, selector: string): Promise<Box> {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`${selector} is not shown.`);
  return box;
}

const looked = [
  '/',
  '/playground',
  '/tutorial/lost-answer',
  '/how-to/recipes/',
  '/how-to/recipes/webhook-handler',
  '/how-to/adopt-the-mock',
  '/reference/sdk/errors',
  '/reference/commands/config',
  '/reference/decisions',
  '/reference/sdk/writes',
  '/reference/sdk-api/',
  '/reference/sdk-api/interfaces/OrgChatClient',
  '/reference/sdk-api/interfaces/Friends',
  '/reference/api/',
  '/reference/api/chat',
  '/reference/api/chat-changes',
  '/api/index.html',
];

describe.each([
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 320 },
] as const)('in $colorScheme, $width px wide', (look) => {
  it.each(looked)('%s is accessible, fits, and loads nothing from other hosts', async (path) => {
    const { page, problems } = await site.open(path, look);
    if (path.startsWith('/api/')) await page.locator('#reference h1').waitFor();
    const html = page.locator('html');
    const excess = await html.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(excess).toBe(0);
    expect(await findBrokenWords(page)).toEqual([]);
    expect(await findViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

it.each([
  ['/how-to/ci', 'div.language-yaml', 'pre'],
  ['/playground', '.code-editor', '.box'],
])('%s shows an edge where a line of code continues, until it is scrolled', async (path, frame, box) => {
  const { page } = await site.open(path, { colorScheme: 'light', width: 320 });
  const block = page.locator(frame).first();
  const edge = (): Promise<string> =>
    block.evaluate(
      (element) => element.ownerDocument.defaultView?.getComputedStyle(element, '::after').backgroundImage,
    );
  expect(await edge()).not.toBe('none');
  await block.locator(box).evaluate((pre) => pre.scrollTo({ left: pre.scrollWidth }));
  await expect.poll(edge).toBe('none');
  await page.context().close();
});

it('wraps no code on a phone: a block that is too wide is scrolled', async () => {
  const { page } = await site.open('/how-to/adopt-the-mock', { colorScheme: 'light', width: 320 });
  const blocks = await page.locator('.vp-doc div[class*="language-"] > pre').evaluateAll((boxes) =>
    boxes.map((box) => {
      const view = box.ownerDocument.defaultView;
      const spaces = [box, box.firstElementChild].map((one) => view.getComputedStyle(one).whiteSpace);
      return [...spaces, view.getComputedStyle(box).overflowX].join(' ');
    }),
  );
  expect(blocks.length).toBeGreaterThan(5);
  expect([...new Set(blocks)]).toEqual(['pre pre auto']);
  await page.context().close();
});

it.each([['light'], ['dark']] as const)('a name has not the color of a link: %s', async (colorScheme) => {
  const { page } = await site.open('/reference/sdk/errors', { colorScheme, width: 1440 });
  const colorOf = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).color);
  expect(await colorOf('.vp-doc p > code')).not.toBe(await colorOf('.vp-doc p > a'));
  await page.context().close();
});

it('has a sentence per line in the heading of the first page on a phone', async () => {
  const { page } = await site.open('/', { colorScheme: 'light', width: 320 });
  const heights = await page
    .locator('h1 span')
    .evaluateAll((spans) =>
      spans.map((span) => [
        span.clientHeight,
        Number.parseFloat(span.ownerDocument.defaultView.getComputedStyle(span).lineHeight),
      ]),
    );
  expect(heights).toHaveLength(2);
  for (const [height = 0, line = 0] of heights) expect(Math.round(height / line)).toBe(1);
  await page.context().close();
});

it('has each note of the first page beside the code, with the number that is at its line', async () => {
  const { page } = await site.open('/', { colorScheme: 'light', width: 1280 });
  const lines = await page.locator('.frame .language-ts .line').evaluateAll((found) =>
    found.map((line) => ({
      text: line.textContent ?? '',
      hasNumber: line.ownerDocument.defaultView.getComputedStyle(line, '::after').content !== 'none',
    })),
  );
  const numbered = lines.filter(({ hasNumber }) => hasNumber).map(({ text }) => text);
  const calls = await page.locator('.notes li > code').allInnerTexts();
  expect(calls).toHaveLength(4);
  expect(numbered.map((line, index) => line.includes(calls[index]?.slice(0, -1) ?? '?'))).toEqual(
    calls.map(() => true),
  );
  const [code, notes] = [await findBox(page, '.sides > .frame'), await findBox(page, '.notes')];
  expect(notes.x).toBeGreaterThan(code.x + code.width);
  expect(notes.x - code.x - code.width).toBeLessThan(60);
  expect(notes.y + notes.height).toBeLessThan(code.y + code.height);
  // No line of the code is cut, numbers included.
  const hidden = await page
    .locator('.frame .language-ts > pre')
    .evaluate((pre) => pre.scrollWidth - pre.clientWidth);
  expect(hidden).toBe(0);
  await page.context().close();
});

it.each([
  ['/reference/commands/studio', false],
  ['/reference/error-codes', true],
])(
  'on a phone, a cell of a table of %s shows its heading if there are more than two: %s',
  async (path, isShown) => {
    const { page } = await site.open(path, { colorScheme: 'light', width: 320 });
    const labels = await page
      .locator('.vp-doc td:last-child')
      .evaluateAll((cells) =>
        cells.map((cell) => cell.ownerDocument.defaultView.getComputedStyle(cell, '::before').content),
      );
    expect(labels.length).toBeGreaterThan(10);
    expect([...new Set(labels.map((label) => label !== 'none'))]).toEqual([isShown]);
    await page.context().close();
  },
);

it.each(['/reference/api/', '/reference/sdk/writes', '/reference/fleet/errors-and-options'])(
  'on a phone, each row of a table of %s has a title of its own',
  async (path) => {
    const { page } = await site.open(path, { colorScheme: 'light', width: 320 });
    const repeated = await page.locator('.vp-doc tbody').evaluateAll((tables) =>
      tables.flatMap((table) => {
        const view = table.ownerDocument.defaultView;
        const titles: string[] = [];
        for (const row of table.querySelectorAll('tr')) {
          let title = '';
          for (const cell of row.querySelectorAll('td'))
            if (Number(view?.getComputedStyle(cell).fontWeight) > 500) title += ` ${cell.textContent}`;
          titles.push(title);
        }
        return titles.filter((title, index) => titles.indexOf(title) !== index);
      }),
    );
    expect(repeated).toEqual([]);
    await page.context().close();
  },
);

it('shows the language of code that a reader chose, also on the next page', async () => {
  const { page } = await site.open('/reference/api/', { colorScheme: 'light', width: 1440 });
  const shown = page.locator('.vp-code-group .blocks > .active').first();
  expect(await shown.textContent()).toContain('curl ');
  await page.locator('.vp-code-group label', { hasText: 'Python' }).click();
  await expect.poll(() => shown.textContent()).toContain('urlopen');
  await page.getByRole('link', { name: '/chat/changes' }).click();
  await expect.poll(() => shown.textContent()).toContain('create-tags');
  expect(await shown.textContent()).toContain('urlopen');
  await page.reload();
  await expect.poll(() => shown.textContent()).toContain('urlopen');
  await page.context().close();
});

it('shows samples beside the fields where there is room, and above them on a phone', async () => {
  const look = async (width: number): Promise<{ sample: Box; fields: Box }> => {
    const { page } = await site.open('/reference/api/chat', { colorScheme: 'light', width });
    const boxes = {
      sample: await findBox(page, '.beside > .sample'),
      fields: await findBox(page, '.beside > .fields'),
    };
    await page.context().close();
    return boxes;
  };
  const wide = await look(1280);
  expect(wide.sample.x).toBeGreaterThan(wide.fields.x + wide.fields.width);
  const narrow = await look(390);
  expect(narrow.fields.y).toBeGreaterThan(narrow.sample.y + narrow.sample.height - 1);
});

it('opens the fields of data that a link leads to', async () => {
  const look = { colorScheme: 'light', width: 1440 } as const;
  const { page } = await site.open('/reference/api/chat-changes#LinkData', look);
  const isOpen = (name: string): Promise<string | null> => page.locator(`#${name}`).getAttribute('open');
  await expect.poll(() => isOpen('LinkData')).not.toBeNull();
  expect(await isOpen('TemplateData')).toBeNull();
  await page.context().close();
});

it('names the file that a block of code is for, and what a command prints', async () => {
  const { page } = await site.open('/how-to/recipes/webhook-handler', { colorScheme: 'light', width: 1440 });
  expect(await page.locator('.file').allInnerTexts()).toEqual(['webhook.ts']);
  await page.context().close();
  const commands = read(`${dist}/reference/commands/config.html`);
  expect(commands.match(/class="output language-text/g)?.length).toBe(5);
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

  it('have curly quotes in texts, and straight ones in code', () => {
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /^(?:reference|how-to|explanation|tutorial)\/.*\.html$/.test(file),
    );
    const found = files.flatMap((file) => {
      const shown = read(`${dist}/${file}`).replace(/<(script|style|pre|code)\b.*?<\/\1>|<[^>]+>/gs, '');
      return /.{0,20}(?:"|'|&quot;|&#39;).{0,20}/.exec(shown)?.map((text) => `${file}: ${text}`) ?? [];
    });
    expect(files.length).toBeGreaterThan(100);
    expect(found).toEqual([]);
    expect(read(`${dist}/reference/sdk/writes.html`)).toContain('“No” means');
  });

  it('are where the first page and the navigation say', async () => {
    const { page } = await site.open('/', { colorScheme: 'light', width: 1440 });
    const links = await page.locator('a[href^="/"]').evaluateAll((found) => found.map(({ href }) => href));
    expect(links.length).toBeGreaterThan(10);
    for (const link of new Set(links)) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    await page.context().close();
  });
});
