import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createClient } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import { secret } from '../order-webhook/test-support/order-delivery.ts';
import { deliverOverHttp, testOrderWebhook } from '../order-webhook/test-support/webhook-tests.ts';
import { createApp } from './app.ts';

testOrderWebhook(async () => {
  const { JOURNAL_DIR, ORDER_TAG_ID: tagId = '' } = process.env;
  const client = createClient({ journal: fileJournal(JOURNAL_DIR) });
  const server = createApp(client, { tagId, secret }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    deliver: (delivery) => deliverOverHttp(port, delivery),
    end() {
      server.closeAllConnections();
      server.close();
    },
  };
});
