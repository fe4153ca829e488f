/* The order webhook in Fastify. server.ts beside this file starts it. */
import type { OrgChatClient } from '@orgchat/sdk';
import Fastify, { type FastifyInstance } from 'fastify';
import { handleOrder, type Settings } from '../order-webhook/handle-order.ts';

/** Create one client per process: a client per request would not share the pacing of 60 requests per minute. */
export function createApp(client: OrgChatClient, settings: Settings): FastifyInstance {
  const app = Fastify();
  // As text, because the signature is about the bytes that were sent.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => body,
  );
  app.post<{ Body: string | undefined; Headers: { 'x-signature'?: string } }>(
    '/orders',
    async (request, reply) => {
      const signature = request.headers['x-signature'];
      const answer = await handleOrder(client, settings, { body: request.body ?? '', signature });
      return reply.code(answer.status).headers(answer.headers).send(answer.body);
    },
  );
  return app;
}
