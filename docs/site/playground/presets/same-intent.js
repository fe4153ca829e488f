import { createMock } from '@orgchat/mock-server/browser';
import { createClient } from '@orgchat/sdk';

const mock = createMock();
const open = () =>
  createClient({
    apiKey: mock.writeKey,
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
  });

// Both tabs send the same order. The intent says that it is one change.
const order = { name: 'Order A-17', color: 'green' };
const options = { intent: ['order', 'A-17'] };
const [one, two] = await Promise.all([
  open().tags.create(order, options),
  open().tags.create(order, options),
]);
console.log('same record:', one.result.id === two.result.id);

let count = 0;
for await (const tag of open().tags.list()) {
  if (tag.name === order.name) count++;
}
console.log('tags named Order A-17:', count);
