import { createMock } from '@orgchat/mock-server/browser';
import { createClient } from '@orgchat/sdk';

const mock = createMock();
const client = createClient({
  apiKey: mock.writeKey,
  baseUrl: mock.baseUrl,
  fetch: mock.fetch,
});

// The next change is applied. Then the connection breaks.
mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });

const spring = { name: 'Spring', color: 'pink' };
const { result, replayed } = await client.tags.create(spring);
console.log('id:', result.id);
console.log('replayed:', replayed);

let count = 0;
for await (const tag of client.tags.list()) {
  if (tag.name === 'Spring') count++;
}
console.log('tags named Spring:', count);
