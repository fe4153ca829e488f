import { test } from '@orgchat/mock-server/playwright';
import { expect } from '@playwright/test';

test('a test has its own world', async ({ client, request, requestLog, urls }) => {
  const { operationId } = await client.tags.create({ name: 'Own', color: 'pink' });
  requestLog.appliedExactlyOnce(operationId);
  const answer = await request.get(`${urls.baseUrl}/me`, {
    headers: { Authorization: 'Bearer demo-read-key' },
  });
  expect(answer.status()).toBe(200);
});
