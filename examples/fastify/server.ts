/*
 * The order webhook in Fastify, as a program. To try it against the mock, with its tag VIP:
 *
 *   export WEBHOOK_SECRET=secret ORDER_TAG_ID=f9505a73-9a8f-58e8-a194-2c3f973d4bbb
 *   npx --no -- orgchat mock exec -- npx tsx examples/fastify/server.ts
 *
 * The journal is a folder on the disk of this machine. In a container it must be on a volume: JOURNAL_DIR=/data/journal.
 */
import { createClient } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import { createApp } from './app.ts';

// ORGCHAT_API_KEY and ORGCHAT_BASE_URL are read from the environment.
const { JOURNAL_DIR, ORDER_TAG_ID = '', WEBHOOK_SECRET = '', PORT = '3000' } = process.env;
if (WEBHOOK_SECRET === '') throw new Error('Set WEBHOOK_SECRET to the secret of the sender.');
if (ORDER_TAG_ID === '') throw new Error('Set ORDER_TAG_ID to the id of the tag for friends who ordered.');

const client = createClient({ journal: fileJournal(JOURNAL_DIR) });
const app = createApp(client, { tagId: ORDER_TAG_ID, secret: WEBHOOK_SECRET });
process.once('SIGTERM', async () => {
  // A sender that keeps its connection open after the answer does not delay the end.
  setInterval(() => app.server.closeIdleConnections(), 100);
  await app.close(); // The deliveries in progress are answered.
  await client.operations.drain({ timeoutMs: 20_000 }); // Shorter than the grace period of your platform.
  process.exit();
});
const address = await app.listen({ port: Number(PORT), host: '0.0.0.0' });
console.log(`Listening on ${address}`);

// Finishes what a killed process left, also if the sender does not deliver it again.
for (const { operationId, state } of await client.operations.resumeAll({ wait: true })) {
  console.log(`Operation ${operationId} of an earlier process: ${state}`);
}
