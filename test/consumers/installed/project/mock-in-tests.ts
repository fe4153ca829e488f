/* The fixtures of the mock server for test runners and msw, compiled against the packed install. */
import { createMock } from '@orgchat/mock-server';
import { test as jestTest } from '@orgchat/mock-server/jest';
import { handlers } from '@orgchat/mock-server/msw';
import { fixture } from '@orgchat/mock-server/node-test';
import { test as playwrightTest, testWith } from '@orgchat/mock-server/playwright';
import { test } from '@orgchat/mock-server/vitest';
import { setupServer } from 'msw/node';

const server = setupServer(...handlers(createMock(), 'https://example.com/api/v1'));
server.listen();
test('a tag', async ({ client, mock }) => {
  const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
  console.log(result?.name, mock.baseUrl);
});
jestTest('a tag', async ({ client, mock }) => {
  const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
  console.log(result?.name, mock.baseUrl);
});
jestTest.each([[1, 'one']] as const)('%i %s', async ({ client }, count, name) => {
  await client.tags.create({ name: name.repeat(count), color: 'pink' });
});
playwrightTest('a tag', async ({ client, urls, routeApi, page }) => {
  await routeApi(page, 'https://example.com/api/v1');
  const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
  console.log(result?.name, urls.baseUrl);
});
testWith({ mock: { rateLimit: 5 } })('limited', async ({ requestLog }) => {
  requestLog.requested({ action: 'create-tags' }, 0);
});
console.log(typeof fixture);
