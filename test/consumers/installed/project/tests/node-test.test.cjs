const assert = require('node:assert/strict');
const { test } = require('node:test');
const { fixture } = require('@orgchat/mock-server/node-test');
const { NotFoundError } = require('@orgchat/sdk');

test('a tag, from CommonJS', async (t) => {
  const { client } = await fixture(t);
  await client.tags.create({ name: 'VIP', color: 'pink' });
  await assert.rejects(client.tags.get('00000000-0000-4000-8000-000000000000'), NotFoundError);
});
