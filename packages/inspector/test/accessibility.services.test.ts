import { splitUnsafe, toEscape } from '@orgchat/spec/unsafe-characters';
import { expect, test } from 'vitest';
import { findViolations, useBrowser } from '../test-support/browser.ts';
import { fillWithHostileTexts } from '../test-support/hostile.ts';

/*
 * Every panel with hostile texts, in both schemes, on a narrow and a wide screen: axe finds nothing, nothing scrolls
 * sideways, no text becomes markup, and no character is hidden.
 */

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
/** A character that cannot be seen, or that changes the direction, as an escape. */
function findHidden(text: string): string | undefined {
  const [, character] = splitUnsafe(text);
  return character === undefined ? undefined : toEscape(character);
}

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
    const hidden = findHidden((await page.locator('body').textContent()) ?? '');
    if (hidden !== undefined) found.push(`${panel} has a character that cannot be seen: ${hidden}`);
    const overflow: number = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (overflow > 0) found.push(`${panel} scrolls sideways by ${overflow} px`);
  }
  expect(found).toEqual([]);
  expect(await page.evaluate('globalThis.broken')).toBeUndefined();
  expect(problems).toEqual([]);
});

test.each([
  { width: 1280, height: 800, colorScheme: 'light', place: 'specification#4.4.40' },
  { width: 320, height: 640, colorScheme: 'dark', place: 'decisions#D62' },
] as const)('axe finds nothing in $place at $width px, $colorScheme', async (screen) => {
  const { width, height, colorScheme, place } = screen;
  const { page, server, problems } = await browser.inspect({ viewport: { width, height }, colorScheme });
  await page.goto(`${server.controlUrl}/docs/${place}`);
  expect(await findViolations(page)).toEqual([]);
  const overflow: number = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow).toBe(0);
  expect(problems).toEqual([]);
});
