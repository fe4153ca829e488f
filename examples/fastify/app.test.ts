import type { AddressInfo } from 'node:net';
import { createClient } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import { secret } from '../order-webhook/test-support/order-delivery.ts';
import { deliverOverHttp, testOrderWebhook } from '../order-webhook/test-support/webhook-tests.ts';
import { createApp } from './app.ts';

testOrderWebhook(async () => {
  const { JOURNAL_DIR, ORDER_TAG_ID: tagId = '' } = process.env;
  const client = createClient({ journal: fileJournal(JOURNAL_DIR) });
  const app = createApp(client, { tagId, secret });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return {
    deliver: (delivery) => deliverOverHttp(port, delivery),
    async end() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
});
