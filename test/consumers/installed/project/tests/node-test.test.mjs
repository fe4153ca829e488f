import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture } from '@orgchat/mock-server/node-test';
import { NotFoundError } from '@orgchat/sdk';

test('a tag, from an ES module', async (t) => {
  const { client, mock } = await fixture(t);
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
  const { replayed } = await client.tags.create({ name: 'VIP', color: 'pink' });
  assert.equal(replayed, true);
  await assert.rejects(client.tags.get('00000000-0000-4000-8000-000000000000'), NotFoundError);
});
