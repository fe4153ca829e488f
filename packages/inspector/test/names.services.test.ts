import type { Mock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../test-support/browser.ts';

/* People think in names: lists have them, and a search finds what a request contains. */

const browser = useBrowser();

const connect = ({ baseUrl, fetch }: Mock) =>
  createClient({ apiKey: 'demo-write-key', baseUrl, fetch, pacing: false, retry: false });

const show = (page: Page, panel: string): Promise<unknown> => page.evaluate(`location.hash = '#/${panel}'`);
const findRow = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('row').filter({ hasText: text });

test('rows have the name of the record and why it was refused, and say that no answer came', async () => {
  const { page, mock, problems } = await browser.inspect();
  const client = connect(mock);
  const { result } = await client.tags.create({ name: 'Summer 2026', color: 'pink' });
  if (result === undefined) throw new Error('The mock returns the record.');
  await client.tags.delete(result);
  await client.tags.get(result.id).catch(() => undefined);
  mock.faults.arm({ effect: 'lose-response', action: 'create-tags' });
  await client.tags.create({ name: 'Lost', color: 'blue' }).catch(() => undefined);
  mock.faults.arm({ effect: 'uncertain', action: 'create-tags', resolve: 'never' });
  await client.tags.create({ name: 'Nobody knows', color: 'blue' }).catch(() => undefined);

  await findRow(page, 'create-tags “Summer 2026”').waitFor();
  await findRow(page, 'delete-configuration “Summer 2026”').waitFor();
  const refused = findRow(page, 'NOT_FOUND');
  expect(await refused.textContent()).toContain(result.id.slice(0, 8));
  for (const name of ['Lost', 'Nobody knows'])
    expect(await findRow(page, `create-tags “${name}”`).textContent()).toContain('no answer');

  await show(page, 'audit');
  await findRow(page, /delete-configuration.*Summer 2026/).waitFor();
  await show(page, 'operations');
  await findRow(page, /delete-configuration.*“Summer 2026”/).waitFor();
  await findRow(page, /uncertain.*create-tags “Nobody knows”/).waitFor();
  expect(problems).toEqual([]);
});

test('a notification has the names of the friend and the tag, and can be searched', async () => {
  const { page, mock } = await browser.inspect({ panel: 'notifications' });
  const client = connect(mock);
  const friend = (await client.friends.list({ search: 'Aiko' }).first()) as { accountId: string };
  const tag = await client.tags.create({ name: 'Regular', color: 'green' });
  await client.friends.addTags(friend as never, [tag.result?.id ?? '']);
  await findRow(page, /friend-tags-changed.*Aiko Tanaka.*\+ tag “Regular”/).waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).fill('regular');
  await findRow(page, 'Aiko Tanaka').waitFor();
  await page.getByText('1 notification', { exact: true }).waitFor();
  // A deleted tag keeps its name.
  await client.tags.delete(await client.tags.get(tag.result?.id ?? ''));
  const row = findRow(page, /\+ tag “Regular” \(deleted later, req-\w+\)/);
  await row.getByText('friend-tags-changed').click();
  const detail = page.locator('.detail');
  await detail.getByText(/“Regular” \(deleted later, req-\w+\)/).waitFor();
  await detail.getByRole('button', { name: 'Copy' }).waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  // A change that notified nobody says why, and can be hidden.
  const scenarios = (await client.scenarios.list().toArray({ max: 100 })).filter(
    ({ accountId }) => accountId === null || accountId === friend.accountId,
  );
  const scenarioId = scenarios[0]?.id ?? '';
  for (let n = 0; n < 2; n++) await client.friends.enroll(friend as never, scenarioId);
  await findRow(page, /not notified.*Aiko Tanaka.*“Aiko Tanaka” was already in “/).waitFor();
  await page.getByText('3 changes · 2 notifications, 1 notified nobody').waitFor();
  await page.getByRole('checkbox', { name: 'Also show changes that notified nobody' }).uncheck();
  await page.getByText('2 notifications', { exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).fill('nobody');
  await page.getByText('No match.').waitFor();
});

test('the audit log and the history of a friend say what changed, and that nothing did', async () => {
  const { page, mock, problems } = await browser.inspect({ panel: 'audit' });
  const client = connect(mock);
  const friend = (await client.friends.list({ search: 'Aiko' }).first()) as {
    accountId: string;
    userId: string;
  };
  const tag = await client.tags.create({ name: 'Regular', color: 'green' });
  await client.friends.addTags(friend as never, [tag.result?.id ?? '']);
  const scenarios = (await client.scenarios.list().toArray({ max: 100 })).filter(
    ({ accountId }) => accountId === null || accountId === friend.accountId,
  );
  for (let n = 0; n < 2; n++) await client.friends.enroll(friend as never, scenarios[0]?.id ?? '');
  await findRow(page, /set-friend-tags.*Aiko Tanaka.*\+ tag “Regular”/).waitFor();
  await findRow(page, /enroll-scenario.*Aiko Tanaka.*no effect/).waitFor();
  expect(await findRow(page, 'no effect').count()).toBe(1);
  await show(page, `records/friends/${encodeURIComponent(`${friend.accountId}/${friend.userId}`)}`);
  const history = page.locator('.detail .history li');
  await history.filter({ hasText: /set-friend-tags.*\+ tag “Regular”/ }).waitFor();
  expect(await history.filter({ hasText: `scenario “${scenarios[0]?.name}”` }).count()).toBeGreaterThan(0);
  // What the list of records to use instead only counts is a link to them.
  const link = { name: 'Spring', url: 'https://example.com', scenarioId: null };
  const tagId = '00000000-0000-4000-8000-000000000000';
  for (const name of ['a', 'b', 'c', 'd']) await client.tags.create({ name, color: 'blue' });
  await client.links.create({ ...link, tagId }).catch(() => undefined);
  await show(page, `requests/${mock.requests.list().at(-1)?.id}`);
  await page.getByRole('link', { name: /^\d+ more$/ }).click();
  await page.getByRole('combobox', { name: 'Resource' }).waitFor();
  expect(await page.evaluate('location.hash')).toBe('#/records/tags');
  expect(problems).toEqual([]);
});

test('a search finds keywords, texts of bodies and outcomes, also of requests that arrive later', async () => {
  const { page, mock, problems } = await browser.inspect();
  const client = connect(mock);
  await client.addKeywords('demo-site', { keywords: ['snow boots', 'a', 'b', 'c', 'deep in the body'] });
  await client.templates.create({ name: 'Hours', text: 'Open until eight' });
  await client.account();
  const search = page.getByRole('searchbox', { name: 'Search' });
  const count = (text: string) => page.getByText(text, { exact: true }).waitFor();
  await search.fill('snow boots');
  await count('1 of 3 requests');
  await search.fill('deep body');
  await count('1 of 3 requests');
  await search.fill('until eight');
  await count('1 of 3 requests');
  expect(await page.locator('.reason').textContent()).toMatch(/^in request body: .*until eight/);
  expect(await page.locator('.reason mark').textContent()).toBe('until eight');
  await client.templates.create({ name: 'Later', text: 'also until eight' });
  await count('2 of 4 requests');
  await search.fill('applied');
  await count('3 of 4 requests');
  expect(problems).toEqual([]);
});

test('why a request was refused leads to the text of the clause and of the decision', async () => {
  const { page, mock, server } = await browser.inspect();
  const hosts = new Set<string>();
  page.context().on('request', (request) => hosts.add(new URL(request.url()).host));
  const client = connect(mock);
  const tagId = '00000000-0000-4000-8000-000000000000';
  await client.links
    .create({ name: 'Spring', url: 'https://example.com', tagId, scenarioId: null })
    .catch(() => undefined);
  await findRow(page, 'NOT_FOUND').click();
  for (const number of ['4.4.40', 'D62']) {
    const [text] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: `${number} (opens in a new tab)` }).click(),
    ]);
    const place = text.locator(`[id="${number}"]`);
    await place.waitFor();
    const { pathname, hash } = new URL(text.url());
    expect(`${pathname}${hash}`).toMatch(new RegExp(`/docs/\\w+#${number}$`));
    await text.getByRole('link', { name: /^← create-links 404 \(req-\w+\)$/ }).waitFor();
    expect(await text.evaluate("document.querySelector(':target').id")).toBe(number);
    await text.close();
  }
  expect([...hosts]).toEqual([new URL(server.url).host]);
});

test('all problems of a body are a list, with what was probably meant', async () => {
  const { page, mock } = await browser.inspect();
  const change = { action: 'create-tags', data: { name: '', colour: 1 } };
  await mock.fetch(`${mock.baseUrl}/chat/changes`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo-write-key' },
    body: JSON.stringify({ operationId: 'x', change, extra: 1 }),
  });
  await findRow(page, 'INVALID_INPUT').click();
  const items = page.locator('.problems li');
  await items.first().waitFor();
  const problems = mock.requests.list()[0]?.decidedBy.problems ?? [];
  // One of them is that the value of the misspelled field is not allowed either.
  expect(problems).toHaveLength(5);
  await page.getByRole('heading', { name: '5 problems' }).waitFor();
  expect(await items.allTextContents()).toEqual(
    problems.map(({ path, message, sent }) => `${path}Sent: ${sent}${message}`),
  );
  expect(await items.first().textContent()).toContain('rename colour to color.');
  // They are not repeated above the list, and the row counts the others.
  expect(await page.locator('.why').count()).toBe(0);
  expect(await findRow(page, 'INVALID_INPUT').textContent()).toContain('+4');
  const { operationId } = mock.requests.list()[0] ?? {};
  await page.locator('.detail').getByText(`${operationId}`).first().waitFor();
  await page
    .getByText('not in the list of operations: a change that is refused at once is not stored')
    .waitFor();
});

test('problems that are not listed are counted', async () => {
  const { page, mock } = await browser.inspect();
  await mock.fetch(`${mock.baseUrl}/sites/demo-site/keywords`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo-write-key' },
    body: JSON.stringify({ keywords: Array(50).fill('') }),
  });
  await findRow(page, '+49').click();
  await page.getByRole('heading', { name: '20 of 50 problems' }).waitFor();
});

test('what a field refers to has its name, and only a deletion in the audit log is called one', async () => {
  const { page, mock } = await browser.inspect();
  const client = connect(mock);
  const { result: tag } = await client.tags.create({ name: 'Gone', color: 'green' });
  const { result: link } = await client.links.create({
    name: 'Spring',
    url: 'https://example.com',
    tagId: tag?.id ?? '',
    scenarioId: null,
  });
  await client.tags.delete(await client.tags.get(tag?.id ?? ''));
  await show(page, `records/links/${link?.id}`);
  const facts = page.locator('.detail .facts');
  await facts
    .getByText(/Gone.*deleted.*in req-\w+/)
    .first()
    .waitFor();
  // After a load of the state with another audit log, nobody knows that it was deleted.
  const state = mock.state() as object;
  mock.restore({ ...state, audit: [] });
  await facts.getByText('does not exist').waitFor();
});
