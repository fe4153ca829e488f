/* Run by test/testing/runners.services.test.ts with node:test. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture } from '@orgchat/mock-server/node-test';

test('has its own world', async (t) => {
  const { client } = await fixture(t);
  assert.equal((await client.templates.list({ limit: 1 })).total, 2);
});

test('fails after a request', async (t) => {
  const { client } = await fixture(t);
  await client.tags.create({ name: 'Seen', color: 'blue' });
  throw new Error('planted');
});
