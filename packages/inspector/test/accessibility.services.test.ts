import { expect, test } from 'vitest';
import { findViolations, useBrowser } from '../test-support/browser.ts';
import { fillWithHostileTexts } from '../test-support/hostile.ts';

/* Every panel with hostile texts, in both schemes, on a narrow and a wide screen: axe finds nothing, nothing scrolls sideways, and no text becomes markup. */

const browser = useBrowser();

const panels = [
  'requests',
  'requests/1',
  'faults',
  'records',
  'records/friends',
  'records/sites/demo-site',
  'operations',
  'clock',
  'keys',
  'audit',
  'audit/1',
  'notifications',
  'sandboxes',
  'state',
];
const screens = [
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 1280, height: 800, colorScheme: 'dark' },
  { width: 320, height: 640, colorScheme: 'light' },
  { width: 320, height: 640, colorScheme: 'dark' },
] as const;

test.each(screens)('axe finds nothing at $width px, $colorScheme', async ({ width, height, colorScheme }) => {
  const { page, mock, problems } = await browser.inspect({ viewport: { width, height }, colorScheme });
  const found: string[] = [];
  found.push(...(await findViolations(page)));
  await fillWithHostileTexts(mock);
  for (const panel of panels) {
    await page.evaluate(`location.hash = '#/${panel}'`);
    const [root] = panel.split('/');
    await page.locator(`nav a[aria-current=page][href="#/${root}"]`).waitFor({ state: 'attached' });
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    found.push(...(await findViolations(page)).map((violation) => `${panel}: ${violation}`));
    const overflow: number = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (overflow > 0) found.push(`${panel} scrolls sideways by ${overflow} px`);
  }
  expect(found).toEqual([]);
  expect(await page.evaluate('globalThis.broken')).toBeUndefined();
  expect(problems).toEqual([]);
});
