import { test } from '@orgchat/mock-server/vitest';
import { NotFoundError } from '@orgchat/sdk';
import { expect } from 'vitest';

test('a tag', async ({ client, mock }) => {
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
  const { replayed } = await client.tags.create({ name: 'VIP', color: 'pink' });
  expect(replayed).toBe(true);
  await expect(client.tags.get('00000000-0000-4000-8000-000000000000')).rejects.toBeInstanceOf(NotFoundError);
});
