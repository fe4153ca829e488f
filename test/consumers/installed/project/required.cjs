/* Code of a CommonJS user. */
const { createClient, OrgChatError } = require('@orgchat/sdk');
const { fileJournal } = require('@orgchat/sdk/node');
const client = createClient({
  apiKey: 'k',
  baseUrl: 'https://example.com',
  journal: fileJournal('./journal'),
});
client.account({ signal: AbortSignal.abort() }).catch((error) => {
  if (!(error instanceof OrgChatError)) throw error;
  console.log(`${process.version}: required`);
});
