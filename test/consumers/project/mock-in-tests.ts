/* The fixtures of the mock server for vitest and msw, compiled against the packed install. */
import { createMock } from '@orgchat/mock-server';
import { handlers } from '@orgchat/mock-server/msw';
import { test } from '@orgchat/mock-server/vitest';
import { setupServer } from 'msw/node';

const server = setupServer(...handlers(createMock(), 'https://example.com/api/v1'));
server.listen();
test('a tag', async ({ client, mock }) => {
  const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
  console.log(result?.name, mock.baseUrl);
});
