/*
 * Reads every record of an organization, and says where the API shows only the newest. Each list is read page by page,
 * and a page is fetched only when it is needed. For lists without an offset, `limited` says that more records exist.
 *
 *   npm run example export-organization
 */
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';

const mock = createMock({ rateLimit: 'off' });
const client = createClient({
  apiKey: 'demo-read-key',
  baseUrl: mock.baseUrl,
  fetch: mock.fetch,
  pacing: false,
});

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const records: T[] = [];
  for await (const record of list) records.push(record);
  return records;
}

const resources = [
  'tags',
  'templates',
  'autoReplies',
  'scenarios',
  'forms',
  'richMenus',
  'links',
  'routes',
  'broadcasts',
] as const;

const exported: Record<string, unknown[]> = {};
for (const resource of resources) exported[resource] = await all<unknown>(client[resource].list());

const friends = await all(client.friends.list());
exported.friends = friends;
exported.messages = [];
for (const friend of friends) {
  const { records, limited } = await client.friends.messages(friend);
  exported.messages.push(...records);
  if (limited) console.log(`more messages exist with ${friend.displayName}`);
}

exported.documents = [];
for await (const project of client.studio.projects()) {
  for await (const { id } of client.studio.documents(project)) {
    const { document } = await client.studio.document(project, id);
    exported.documents.push({ project: project.name, ...document });
  }
}

for (const [name, records] of Object.entries(exported))
  console.log(`${name}: ${records.length > 0 ? 'some' : 'none'}`);
const first = await client.studio.projects();
console.log(`projects on the first page: ${first.projects.length > 0 ? 'some' : 'none'}`);
