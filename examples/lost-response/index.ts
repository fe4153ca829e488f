/*
 * A change whose answer was lost is sent again under the same id, and applied once. The server recognizes the id, and
 * replays its stored answer.
 *
 *   npm run example lost-response
 */
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';

const mock = createMock();
const server = await mock.listen({ port: 0 });
const client = createClient({
  apiKey: 'demo-write-key',
  baseUrl: server.baseUrl,
  onEvent: (event) => {
    if (event.type === 'attempt' && event.operation === 'changeChat')
      console.log(`attempt ${event.attempt}: ${event.answer}`);
  },
});

// The next change is applied, then its connection is reset before the answer is sent.
mock.faults.arm({ operation: 'changeChat', effect: 'lose-response' });

const name = 'Lost and found';
const created = await client.tags.create({ name, color: 'orange' });

console.log(`applied: ${created.applied}, replayed: ${created.replayed}`);

const requests = mock.requests.list().filter((request) => request.operation === 'changeChat');
const ids = new Set(requests.map((request) => request.operationId));
const applied = requests.filter((request) => request.applied);
console.log(`requests: ${requests.length}, operation ids: ${ids.size}, times applied: ${applied.length}`);

let found = 0;
for await (const tag of client.tags.list()) if (tag.name === name) found++;
console.log(`tags named "${name}": ${found}`);

await server.close();
