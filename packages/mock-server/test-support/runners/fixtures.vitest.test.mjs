/* Run by test/testing/runners.services.test.ts with vitest. */
import { test } from '@orgchat/mock-server/vitest';
import { expect } from 'vitest';

test('has its own world', async ({ client, mock }) => {
  expect((await client.templates.list({ limit: 1 })).total).toBe(2);
  expect(mock.requests.list()).toHaveLength(1);
});

test('fails after a request', async ({ client }) => {
  await client.tags.create({ name: 'Seen', color: 'blue' });
  throw new Error('planted');
});
