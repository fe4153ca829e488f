/* Code of a CommonJS user of the fleet. */
const { createClient, OrgChatError } = require('@orgchat/sdk');
const { FleetError, postgresJournal } = require('@orgchat/fleet/postgres');
const refused = Object.assign(new Error('read-only'), { code: '25006' });
const journal = postgresJournal({ query: () => Promise.reject(refused) });
const client = createClient({ apiKey: 'k', baseUrl: 'https://example.com', journal });
client.tags.create({ name: 'VIP', color: 'pink' }).catch((error) => {
  const isRight = error instanceof OrgChatError && error.cause instanceof FleetError;
  if (!isRight || error.code !== 'JOURNAL_FAILED') throw error;
  console.log(`${process.version}: required`);
});
