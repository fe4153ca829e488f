import { createClient } from '@orgchat/sdk';
import { expect, test } from 'vitest';
import { useBrowser } from '../test-support/browser.ts';

/* The story of the README with the page and a client: lose an answer, see the replay, and one record. */

const browser = useBrowser();

test('a person loses an answer and sees the retry come back as a replay', async () => {
  const { page, server, problems, mock } = await browser.inspect();
  await page.getByText('No requests yet').waitFor();
  await page.getByRole('link', { name: 'Faults' }).first().click();
  await page.getByRole('button', { name: 'Lose the next answer to a change' }).click();
  await page.getByRole('heading', { name: 'lose-response' }).waitFor();

  const client = createClient({ apiKey: 'demo-write-key', baseUrl: server.baseUrl, pacing: false });
  const tag = await client.tags.create({ name: 'Lost and found', color: 'pink' });
  expect(tag.replayed).toBe(true);

  // The fault says what it hit, without a reload.
  await page.getByRole('link', { name: /^req-/ }).waitFor();
  await page.getByText('used up').waitFor();

  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  const rows = page.getByRole('row');
  const [newest, first] = [rows.nth(1), rows.nth(2)];
  await newest.getByText('replayed').waitFor();
  expect(await first.textContent()).toMatch(/create-tags[\s\S]*applied[\s\S]*lose-response/);
  await first.click();
  await page.getByText('the client cannot know whether the change was applied').waitFor();
  await page.getByText('Lost and found').first().waitFor();
  // The lost answer and its replay lead to each other, and to the entry of the audit log.
  const story = page.locator('.story li');
  expect(await story.allTextContents()).toEqual([
    expect.stringMatching(/this request.*no answer.*applied.*lose-response/),
    expect.stringMatching(/req-.*200.*replayed/),
  ]);
  await story.nth(1).getByRole('link').click();
  await page.locator('.story li', { hasText: 'this request' }).getByText('replayed').waitFor();
  await page.locator('.detail a[href*="#/operations/"]').click();
  await page.getByRole('link', { name: 'yes, entry 1' }).click();
  await page.getByRole('heading', { name: 'The new record' }).waitFor();

  expect(mock.requests.list().filter(({ applied }) => applied)).toHaveLength(1);
  expect(problems).toEqual([]);
});

test('a refusal says who changed the record, and what to send instead', async () => {
  const { page, server, mock, problems } = await browser.inspect();
  mock.faults.arm({ effect: 'rival-edit', action: 'update-tags' });
  const client = createClient({ apiKey: 'demo-write-key', baseUrl: server.baseUrl, pacing: false });
  const vip = await client.tags.find({ name: 'VIP' });
  if (vip === undefined) throw new Error('The demo has a tag VIP.');
  await client.tags.edit(vip, (data) => ({ ...data, color: 'blue' }));

  await page.getByRole('row').filter({ hasText: 'STALE_REVISION' }).click();
  const why = page.locator('.detail section').filter({ has: page.getByRole('heading', { name: 'Why' }) });
  await why.waitFor();
  const refusal = mock.requests.list().find(({ error }) => error === 'STALE_REVISION');
  const because = refusal?.decidedBy.because ?? '';
  // What to send instead has a paragraph of its own, as each sentence has.
  const [cause = '', use = '', ...rest] = because.split(/(?<=\.) (?=[A-Z])/);
  expect(rest).toEqual([]);
  expect(await why.textContent()).toContain(cause.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1…'));
  // What to use is whole, and can be copied.
  expect((await why.textContent())?.replace(' Copy', '')).toContain(use);
  await why.getByRole('button', { name: 'Copy' }).waitFor();
  expect(await why.textContent()).toContain(`Step ${refusal?.decidedBy.step}`);

  // The edit that followed read the record, so the page knows which field it changed.
  await page.getByRole('row').filter({ hasText: 'applied' }).click();
  const change = page
    .locator('.detail section')
    .filter({ has: page.getByRole('heading', { name: 'Change of the record' }) });
  await change.getByText('blue').waitFor();
  expect(await change.textContent()).toMatch(/color.*before: pink.*after: blue/);

  // So does a page that is opened at the entry of the audit log.
  await page.goto('about:blank');
  await page.goto(`${server.inspectorUrl}#/audit/1`);
  await change.getByText('blue').waitFor();
  expect(problems).toEqual([]);
});
