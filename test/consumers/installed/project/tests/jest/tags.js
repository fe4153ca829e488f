/* With the transform that Jest has by default. */
const { createMock } = require('@orgchat/mock-server');
const { test: testWithWorld } = require('@orgchat/mock-server/jest');
const { createClient, NotFoundError } = require('@orgchat/sdk');
const { fileJournal } = require('@orgchat/sdk/node');
const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const mock = createMock();
const client = createClient({
  apiKey: mock.writeKey,
  baseUrl: mock.baseUrl,
  fetch: mock.fetch,
  journal: fileJournal(mkdtempSync(join(tmpdir(), 'jest-'))),
});

test('a lost answer is replayed', async () => {
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
  const { replayed, result } = await client.tags.create({ name: 'VIP', color: 'pink' });
  expect(replayed).toBe(true);
  expect(result.name).toBe('VIP');
  expect(mock.operations()).toHaveLength(1);
});

test('errors are of the classes that a test requires', async () => {
  await expect(client.tags.get('00000000-0000-4000-8000-000000000000')).rejects.toBeInstanceOf(NotFoundError);
});

test('a seed file is read', async () => {
  await expect(createMock({ seed: './none.yaml' })).rejects.toThrow('none.yaml');
});

testWithWorld('a test has its own world', async ({ client, requestLog }) => {
  const { operationId } = await client.tags.create({ name: 'Own', color: 'pink' });
  requestLog.appliedExactlyOnce(operationId);
  expect(mock.operations()).toHaveLength(1);
});
