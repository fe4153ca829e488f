/* Run by test/testing/runners.services.test.ts with Jest as it is by default: CommonJS. */
const { test, it, testWith } = require('@orgchat/mock-server/jest');

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

test.each([
  [1, 'one'],
  [2, 'two'],
])('has a row: %i %s', async ({ client }, count, name) => {
  await client.tags.create({ name, color: 'blue' });
  expect((await client.tags.list()).total).toBe(4);
  expect(name).toBe(count === 1 ? 'one' : 'two');
});

testWith({ mock: { monthlyLimit: 1 }, client: { retry: false } })('takes options', async ({ client }) => {
  await client.account();
  await expect(client.account()).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
});

test.concurrent('runs beside others', async ({ client }) => {
  expect((await client.tags.list()).total).toBe(3);
});
test.failing('is meant to fail', async ({ client }) => {
  await client.templates.create({ name: 'Silent', text: 'Silent' });
  throw new Error('meant');
});
test.skip('is skipped', () => {
  throw new Error('skipped');
});
test.todo('is written later');

test('fails after a request', async ({ client }) => {
  await client.tags.create({ name: 'Seen', color: 'blue' });
  throw new Error('planted');
});
