import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture } from '@orgchat/mock-server/node-test';

/* Run by sandbox.test.ts under `node --test`. */
test('a lost answer is applied once', async (t) => {
  const { client, mock, requestLog } = await fixture(t);
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
  const created = await client.tags.create({ name: 'Once', color: 'blue' });
  requestLog.appliedExactlyOnce(created.operationId);
});

test('each test has its own world', async (t) => {
  const { client } = await fixture(t);
  assert.equal((await client.tags.list({ limit: 1 })).total, 3);
});
