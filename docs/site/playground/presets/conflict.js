import { createMock } from '@orgchat/mock-server/browser';
import { createClient } from '@orgchat/sdk';

const mock = createMock();
const client = createClient({
  apiKey: mock.writeKey,
  baseUrl: mock.baseUrl,
  fetch: mock.fetch,
});
const { result: tag } = await client.tags.create({
  name: 'Spring',
  color: 'pink',
});

// Somebody else changes the tag between our read and our write.
const rival = {
  effect: 'rival-edit',
  action: 'update-tags',
  data: { color: 'blue' },
};

mock.faults.arm(rival);
try {
  await client.tags.update(tag, { name: 'Spring sale', color: 'pink' });
} catch (error) {
  console.log('update:', error.code);
}

// edit() reads again, and keeps the other's color.
mock.faults.arm({ ...rival, data: { color: 'green' } });
const { result } = await client.tags.edit(tag.id, (data) => ({
  ...data,
  name: 'Spring sale',
}));
console.log('edit:', result.name, result.color);
