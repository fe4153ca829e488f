/*
 * The order webhook as a route handler of Next.js: app/orders/route.ts.
 *
 * The journal is a folder that outlives a deployment. On Vercel and the like there is no such folder: leave `journal`
 * out. A redelivered order has the same operation id without it, because the id of the order is the intent.
 */
import { createClient, type OrgChatClient } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import { handleOrder } from '../order-webhook/handle-order.ts';

/** The file journal needs Node, not the edge runtime. */
export const runtime = 'nodejs';

let client: OrgChatClient | undefined;

export async function POST(request: Request): Promise<Response> {
  const { JOURNAL_DIR, ORDER_TAG_ID = '', WEBHOOK_SECRET = '' } = process.env;
  if (WEBHOOK_SECRET === '') throw new Error('Set WEBHOOK_SECRET to the secret of the sender.');
  // With the first request: `next build` loads this file without the key.
  client ??= createClient({ journal: fileJournal(JOURNAL_DIR) });
  const { status, headers, body } = await handleOrder(
    client,
    { tagId: ORDER_TAG_ID, secret: WEBHOOK_SECRET },
    { body: await request.text(), signature: request.headers.get('x-signature') },
  );
  return Response.json(body, { status, headers });
}
