/*
 * The order webhook as a Cloudflare Worker. Set the secrets with `wrangler secret put ORGCHAT_API_KEY`, and so on.
 *
 * The journal is in the memory of the isolate, which may end at any time. What survives is the event: the id of the order
 * is the intent, so a redelivery has the same operation id in every isolate. For changes without an intent,
 * implement the six methods of a journal with D1 or a Durable Object ("Your own store" in docs/journals.md of the SDK).
 */
import { createClient, type OrgChatClient } from '@orgchat/sdk';
import { handleOrder } from '../order-webhook/handle-order.ts';

interface Env {
  readonly ORGCHAT_API_KEY: string;
  readonly ORGCHAT_BASE_URL: string;
  readonly ORDER_TAG_ID: string;
  readonly WEBHOOK_SECRET: string;
}

let client: OrgChatClient | undefined;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    // One client per isolate. Bindings are known with the first request.
    client ??= createClient({ apiKey: env.ORGCHAT_API_KEY, baseUrl: env.ORGCHAT_BASE_URL });
    const { status, headers, body } = await handleOrder(
      client,
      { tagId: env.ORDER_TAG_ID, secret: env.WEBHOOK_SECRET },
      { body: await request.text(), signature: request.headers.get('x-signature') },
    );
    return Response.json(body, { status, headers });
  },
};
