/* What an application bundles. */
import { createClient } from '@orgchat/sdk';

const tag = { id: 'a', name: 'VIP', color: 'pink' };
const fetch = async () => Response.json({ records: [tag], total: 1, limited: false });
const client = createClient({ apiKey: 'k', baseUrl: 'https://example.com/api/v1', fetch });
const { records } = await client.tags.list();
if (records[0].id !== 'a') throw new Error('the list was not read');
console.log('bundled');
