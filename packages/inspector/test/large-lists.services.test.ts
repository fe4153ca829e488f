import { generateSeed } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { useBrowser } from '../test-support/browser.ts';

const browser = useBrowser();

const count = 10_000;
const headers = { Authorization: 'Bearer demo-write-key' };

/** The time between frames while an action runs in the page, in milliseconds, sorted. */
const frameTimes = (action: string): string => `(async () => {
  const times = [];
  let last = performance.now();
  let isRunning = true;
  const frame = (now) => { times.push(now - last); last = now; if (isRunning) requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  await (${action})();
  isRunning = false;
  return times.slice(1).sort((a, b) => a - b);
})()`;

const scroll = `async () => {
  const grid = document.querySelector('[role=grid]');
  for (let step = 0; step < 60; step++) {
    grid.scrollTop = (grid.scrollHeight * step) / 60;
    await new Promise(requestAnimationFrame);
  }
}`;

const wait = `() => new Promise((resolve) => setTimeout(resolve, 1500))`;

const describe = (times: readonly number[]): string => {
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(0);
  return `${times.length} frames, median ${at(0.5)} ms, 95 % below ${at(0.95)} ms, slowest ${at(1)} ms`;
};

test('10,000 requests render few rows, and stay usable while more arrive', async () => {
  const { page, mock, problems } = await browser.inspect();
  const me = (): Promise<Response> => mock.fetch(`${mock.baseUrl}/me`, { headers });
  for (let n = 0; n < count; n++) await me();
  await page.reload();
  await page.getByText('10,000 requests').waitFor();
  const rows = (): Promise<number> => page.getByRole('row').count();
  expect(await rows()).toBeLessThan(80);

  const scrolling: number[] = await page.evaluate(frameTimes(scroll));
  expect(await rows()).toBeLessThan(80);
  await page.evaluate(`document.querySelector('[role=grid]').scrollTop = 0`);
  const arriving = page.evaluate(frameTimes(wait)) as Promise<number[]>;
  for (let n = 0; n < 500; n++) await me();
  const live = await arriving;
  await expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain('getAccount');
  expect(await rows()).toBeLessThan(80);

  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.fill('nothing has this text');
  await page.getByText('0 of 10,000 requests').waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  console.log(`scrolling ${count} requests: ${describe(scrolling)}`);
  console.log(`500 requests arrive: ${describe(live)}`);
  console.log(`heap with ${count} requests: ${(usedSize / 1e6).toFixed(1)} MB`);
  expect(usedSize).toBeLessThan(100_000_000);
  expect(problems).toEqual([]);
});

test('100,000 friends render few rows, and can be searched', async () => {
  const seed = generateSeed({ friends: 100_000, messages: 1 });
  const { page, problems } = await browser.inspect({ mock: { seed }, panel: 'records/friends' });
  await page.getByText(/^100,\d{3} friends$/).waitFor({ timeout: 60_000 });
  const rows = (): Promise<number> => page.getByRole('row').count();
  expect(await rows()).toBeLessThan(80);
  const scrolling: number[] = await page.evaluate(frameTimes(scroll));
  console.log(`scrolling 100,000 friends: ${describe(scrolling)}`);
  await page.getByRole('searchbox', { name: 'Search' }).fill('nobody has this name');
  await page.getByText(/^0 of 100,\d{3} friends$/).waitFor();
  await page.getByText('This list is long').waitFor();
  expect(problems).toEqual([]);
});
