/* Run by test/services/browser.test.ts: a page whose requests the sandbox of the test answers. */
import { test } from '@orgchat/mock-server/playwright';
import { expect } from '@playwright/test';

const baseUrl = 'https://api.example.com/api/v1';

/** Reads tags from a page, as the page would. */
const readTags = async (page) =>
  page.evaluate(async (url) => {
    const headers = { Authorization: 'Bearer demo-write-key', 'Content-Type': 'application/json' };
    const body = JSON.stringify({ resource: 'tags' });
    try {
      const response = await fetch(`${url}/chat/read`, { method: 'POST', headers, body });
      return { status: response.status, records: (await response.json()).records };
    } catch (error) {
      return { error: String(error) };
    }
  }, baseUrl);

for (const name of ['First', 'Second']) {
  test(`${name}: a page sees the sandbox of its test, and no other`, async ({
    page,
    client,
    mock,
    routeApi,
  }) => {
    await client.tags.create({ name, color: 'blue' });
    await routeApi(page, `${baseUrl}/`);
    await page.goto('about:blank');
    const { status, records } = await readTags(page);
    expect([status, records.map((tag) => tag.name)]).toEqual([200, [name, 'Trial', 'Newsletter', 'VIP']]);
    mock.faults.arm({ effect: 'drop-request' });
    expect(await readTags(page)).toEqual({ error: 'TypeError: Failed to fetch' });
    mock.faults.arm({ effect: 'respond', status: 503, undeclared: true });
    expect((await readTags(page)).status).toBe(503);
    expect(mock.requests.list()).toHaveLength(4);
  });
}

test('a context is routed with all its pages, and other addresses are not', async ({ context, routeApi }) => {
  await routeApi(context, baseUrl);
  const page = await context.newPage();
  expect((await readTags(page)).status).toBe(200);
  const other = await page.evaluate(() =>
    fetch('https://api.example.com/api/v10').then(
      () => 'answered',
      () => 'not routed',
    ),
  );
  expect(other).toBe('not routed');
});
