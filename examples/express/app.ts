/* The order webhook in Express. server.ts beside this file starts it. */
import type { OrgChatClient } from '@orgchat/sdk';
import express, { type Express } from 'express';
import { handleOrder, type Settings } from '../order-webhook/handle-order.ts';

/** Create one client per process: a client per request would not share the pacing of 60 requests per minute. */
export function createApp(client: OrgChatClient, settings: Settings): Express {
  const app = express();
  // As text, because the signature is about the bytes that were sent.
  app.post('/orders', express.text({ type: 'application/json' }), async (request, response) => {
    const body = typeof request.body === 'string' ? request.body : '';
    const signature = request.get('x-signature');
    const answer = await handleOrder(client, settings, { body, signature });
    response.status(answer.status).set(answer.headers).json(answer.body);
  });
  return app;
}
