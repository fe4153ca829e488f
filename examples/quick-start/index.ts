/*
 * The first steps: read the account, a page and a whole list, then create, update and delete a tag. It runs against
 * the mock. To use the real API, set ORGCHAT_API_KEY and ORGCHAT_BASE_URL and call `createClient()`.
 *
 *   npm run example quick-start
 */
import { createMock } from '@orgchat/mock-server';
import { createClient, requireResult } from '@orgchat/sdk';

const mock = createMock();
const client = createClient({ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch });

const { key, api } = await client.account();
console.log(`scope: ${key.scope}, requests per minute: ${api.perMinute}`);

// A list can be awaited for one page …
const page = await client.tags.list({ limit: 2 });
console.log(`a page of ${page.records.length}, limited: ${page.limited}`);

// … or iterated for all records, a page at a time.
let tags = 0;
for await (const _tag of client.tags.list()) tags++;
console.log(`all tags counted: ${tags === page.total}`);

const created = await client.tags.create({ name: 'Regular', color: 'green' });
const tag = requireResult(created);
console.log(`created ${tag.name}, replayed: ${created.replayed}`);

// The record has the revision and label that guard its change.
const changed = requireResult(await client.tags.update(tag, { name: 'Regular guest', color: 'green' }));
console.log(`changed to ${changed.name}`);

const result = requireResult(await client.tags.delete(changed));
console.log(`deleted: ${result.deleted}`);
