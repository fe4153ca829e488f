/* Orders: a webhook that tags the friend who ordered, once per order, however often the shop delivers it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { isFinal, type OrgChatClient } from '@orgchat/sdk';

export interface Order {
  readonly id: string;
  readonly product: string;
  readonly friend: { readonly accountId: string; readonly userId: string };
}

/** Makes sure that the tag of the product exists, and that the friend got it for this order. */
export async function handleOrder(client: OrgChatClient, { id, product, friend }: Order): Promise<void> {
  const { record } = await client.tags.upsert({ name: `Bought ${product}`, color: 'green' }, { by: 'name' });
  await client.friends.addTags(friend, [record.id], { intent: ['order', id] });
}

/** The shop signs the body, and delivers again until it gets 2xx. 422 means that no delivery can succeed. */
async function answer(client: OrgChatClient, secret: string, request: IncomingMessage): Promise<number> {
  const body = await text(request);
  const signature = Buffer.from(String(request.headers['x-signature'] ?? ''));
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return 401;
  const order = parseOrder(body);
  if (order === undefined) return 400;
  try {
    await handleOrder(client, order);
    return 204;
  } catch (error) {
    const status = isFinal(error) ? 422 : 503;
    console.error(status === 422 ? 'Refused:' : 'To be delivered again:', error);
    return status;
  }
}

function parseOrder(body: string): Order | undefined {
  try {
    const { id, product, friend } = JSON.parse(body) as Order;
    const texts = [id, product, friend.accountId, friend.userId];
    return texts.every((part) => part && typeof part === 'string') ? { id, product, friend } : undefined;
  } catch {
    return undefined;
  }
}

export function createWebhook(client: OrgChatClient, secret: string): Server {
  return createServer(async (request, response) => {
    // A body that cannot be read has no sender who waits.
    const status = await answer(client, secret, request).catch(() => undefined);
    if (status === undefined) response.destroy();
    else response.writeHead(status).end();
  });
}
