/*
 * Two editors change one record, and neither overwrites what the other did. `update()` refuses to overwrite a newer
 * version. `edit()` reads the record again and changes the newest version. If somebody else is faster every time, its error has all versions.
 *
 *   npm run example optimistic-edit
 */
import { createMock } from '@orgchat/mock-server';
import { createClient, StaleRevisionError } from '@orgchat/sdk';

const mock = createMock();
const client = createClient({ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch });

const tag = await client.tags.create({ name: 'Regular', color: 'green' }).requireResult();
mock.edit({ resource: 'tags', id: tag.id, data: { name: 'Regular guest' } });

try {
  await client.tags.update(tag, { name: 'Regular', color: 'blue' });
} catch (error) {
  if (!(error instanceof StaleRevisionError)) throw error;
  console.log('update: stale, and the rival’s name is not lost');
}

const edited = await client.tags.edit(tag, (data) => ({ ...data, color: 'blue' })).requireResult();
console.log(`edit: ${edited.name}, ${edited.color}`);

// A rival changes the record just before each write, however often it is read again.
mock.faults.arm({ effect: 'rival-edit', times: 100 });
try {
  await client.tags.edit(tag, (data) => ({ ...data, color: 'pink' }), { maxAttempts: 3 });
} catch (error) {
  if (!(error instanceof StaleRevisionError)) throw error;
  const { expected, current, data } = error.versions ?? {};
  console.log(
    `gave up; all versions at hand: ${[expected, current, data].every((version) => version !== undefined)}`,
  );
}

const operations = await client.operations.list();
console.log(`operations: ${operations.map(({ state }) => state).join(', ')}`);
