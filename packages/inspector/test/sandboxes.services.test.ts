import { expect, test } from 'vitest';
import { useBrowser } from '../test-support/browser.ts';

const browser = useBrowser();

test('of many sandboxes, those with refusals are found, and the page of one leads back', async () => {
  const { page, mock, problems } = await browser.inspect({ panel: 'sandboxes' });
  const sandboxes = Array.from({ length: 300 }, (_, n) => mock.sandbox({ name: `test ${n}` }));
  const rows = page.getByRole('row');
  await page.getByText('300 sandboxes', { exact: true }).waitFor();
  // Only what is visible is in the document.
  expect(await rows.count()).toBeLessThan(80);

  const failed = sandboxes[42];
  await failed?.fetch(`${failed.baseUrl}/me`, { headers: { Authorization: 'Bearer nobody' } });
  await failed?.fetch(`${failed.baseUrl}/me`, { headers: { Authorization: 'Bearer demo-write-key' } });
  await page.getByRole('checkbox', { name: 'With refusals only' }).check();
  // The count arrives without a reload of the page.
  await page.getByText('1 of 300 sandboxes').waitFor();
  expect(await rows.nth(1).textContent()).toMatch(
    /test 42.*1 of 2 refused.*UNAUTHORIZED.*does not have the key/,
  );
  await page.getByRole('checkbox', { name: 'With refusals only' }).uncheck();
  await page.getByRole('searchbox', { name: 'Search' }).fill('test 117');
  await page.getByText('1 of 300 sandboxes').waitFor();

  await page.getByRole('link', { name: 'Open test 117' }).click();
  await page.waitForURL(/_sandbox/);
  await page.getByText('Sandbox test 117').waitFor();
  await expect.poll(() => page.title()).toBe('test 117 · Requests');
  await page.getByRole('link', { name: 'All sandboxes' }).click();
  await page.getByText('300 sandboxes · 1 with refusals', { exact: true }).waitFor();
  expect(await page.title()).toBe('Sandboxes · orgchat mock');
  // The refused request of the sandbox is not one of the page.
  expect(problems).toEqual([]);
});

test('a person writes as a friend, and assigns accounts to a key', async () => {
  const { page, mock, problems } = await browser.inspect({ panel: 'records/friends' });
  await page.getByRole('row').filter({ hasText: 'Aiko Tanaka' }).click();
  await page.getByRole('button', { name: 'Write as this friend' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('Are you open on Sunday?');
  await page.getByRole('button', { name: 'Send the message' }).click();
  await page.getByRole('link', { name: 'Show the last one' }).click();
  await page.getByRole('heading', { name: 'Are you open on Sunday?' }).waitFor();
  expect(mock.records({ resource: 'messages' }).records[0]).toMatchObject({
    text: 'Are you open on Sunday?',
    direction: 'incoming',
  });

  await page.evaluate("location.hash = '#/keys'");
  const card = page.locator('.card').filter({ hasText: 'demo-read-key' });
  const accounts = mock.records({ resource: 'accounts' }).records.map(({ id, name }) => ({ id, name }));
  const read = () => mock.listKeys().find(({ key }) => key === 'demo-read-key')?.accountIds;
  expect(read()).toBeNull();
  await card.getByRole('checkbox', { name: 'All accounts' }).click();
  await expect.poll(() => read()?.length).toBe(accounts.length);
  await card.getByRole('checkbox', { name: String(accounts[0]?.name) }).click();
  await expect.poll(read).toEqual(accounts.slice(1).map(({ id }) => id));
  await card.getByRole('checkbox', { name: 'All accounts' }).click();
  await expect.poll(read).toBeNull();
  await card.getByRole('checkbox', { name: 'All accounts' }).click();
  // Two clicks before the mock confirms the first one.
  await page.evaluate(`(() => {
    const boxes = [...document.querySelectorAll('.card')]
      .find((one) => one.textContent.includes('demo-read-key'))
      .querySelectorAll('fieldset .checks input');
    for (const box of [...boxes].slice(0, 2)) box.click();
  })()`);
  await expect.poll(read).toEqual(accounts.slice(2).map(({ id }) => id));
  expect(problems).toEqual([]);
});
