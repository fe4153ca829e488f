/* Run by test/testing/runners.services.test.ts with Playwright's test runner. These tests need no browser. */
import { it, test, testWith } from '@orgchat/mock-server/playwright';
import { expect } from '@playwright/test';

test('a lost answer is applied once', async ({ client, mock, requestLog }) => {
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
  const created = await client.tags.create({ name: 'Once', color: 'blue' });
  requestLog.appliedExactlyOnce(created.operationId);
});

it('has its own world', async ({ client, mock, connect }) => {
  expect((await client.tags.list({ limit: 1 })).total).toBe(3);
  expect(mock.requests.list()).toHaveLength(1);
  expect((await connect({ apiKey: 'demo-read-key' }).account()).key.scope).toBe('read');
});

test('has an address for other programs', async ({ mock, request, urls }) => {
  const headers = { Authorization: 'Bearer demo-read-key' };
  const answer = await request.get(`${urls.baseUrl}/me`, { headers });
  expect((await answer.json()).organizationId).toBe('org_demo');
  expect(mock.requests.list()).toHaveLength(1);
  expect((await (await request.get(`${urls.controlUrl}/requests`)).json()).requests).toHaveLength(1);
});

const limited = testWith({ mock: { monthlyLimit: 1 }, client: { retry: false } });
limited('takes options', async ({ client }) => {
  await client.account();
  await expect(client.account()).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
});

test('is meant to fail', async ({ client }) => {
  test.fail();
  await client.templates.create({ name: 'Silent', text: 'Silent' });
  throw new Error('meant');
});

test('fails after a request', async ({ client }) => {
  await client.tags.create({ name: 'Seen', color: 'blue' });
  throw new Error('planted');
});
