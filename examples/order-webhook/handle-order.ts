/*
 * The handler of an order webhook: a paid order adds a tag to the friend who ordered, once per order. It knows nothing
 * of a framework: express, fastify, next-route-handler, lambda and workers beside this folder call it.
 *
 * - The intent is the id of the order. Every delivery of an order has the same operation id, on every machine.
 * - If another machine handled the order before, `acceptKnownIntent` says that this is enough: a tag that an operator
 *   removed since stays removed. With a journal that all machines share, leave it out.
 * - Senders repeat a delivery that is not answered with 2xx. So 200 means that the tag was added, 503 that it may be, or
 *   that it can be later, and 422 that it would be refused again: `isFinal` decides.
 */
import { isFinal, type OrgChatClient, OrgChatError } from '@orgchat/sdk';

export interface Settings {
  /** The tag of friends who ordered. */
  readonly tagId: string;
  /** The secret with which the sender signs its deliveries. */
  readonly secret: string;
}

/** A request of the sender. */
export interface Delivery {
  /** The body as it was sent. A framework that parses and prints it again would break the signature. */
  readonly body: string;
  /** The header `x-signature`: the HMAC of the body with SHA-256, in hexadecimal. */
  readonly signature: string | null | undefined;
}

/** What to answer the sender. */
export interface Answer {
  readonly status: 200 | 400 | 401 | 422 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Order {
  readonly id: string;
  readonly friend: { readonly accountId: string; readonly userId: string };
}

/** Adds the tag to the friend of an order. Rejects only if this program has a mistake: frameworks answer 500 then. */
export async function handleOrder(
  client: OrgChatClient,
  { tagId, secret }: Settings,
  { body, signature }: Delivery,
): Promise<Answer> {
  // Without a secret anybody could sign. Without a tag every order would be refused for good.
  if (!tagId || !secret) throw new Error('Set the id of the tag and the secret of the sender.');
  if (!(await isSigned(body, signature ?? '', secret)))
    return answer(401, { error: 'The signature is wrong.' });
  const order = parseOrder(body);
  if (order === undefined) return answer(400, { error: 'The body is not an order.' });
  try {
    const { operationId, replayed } = await client.friends.addTags(order.friend, [tagId], {
      intent: ['order', order.id],
      acceptKnownIntent: true,
    });
    return answer(200, { operationId, replayed });
  } catch (error) {
    if (!(error instanceof OrgChatError)) throw error;
    const { code, operationId, retryAt } = error;
    const told = { error: error.message, code, operationId };
    if (isFinal(error)) return answer(422, told);
    const seconds = retryAt === undefined ? 10 : Math.ceil((retryAt.getTime() - Date.now()) / 1_000);
    const headers = { 'retry-after': String(Math.max(1, seconds)) };
    return answer(503, told, headers);
  }
}

const answer = (status: Answer['status'], body: Answer['body'], headers: Answer['headers'] = {}): Answer => ({
  status,
  headers,
  body,
});

function parseOrder(body: string): Order | undefined {
  try {
    const { id, friend } = JSON.parse(body) as Order;
    const texts = [id, friend.accountId, friend.userId];
    return texts.every((text) => typeof text === 'string' && text !== '') ? { id, friend } : undefined;
  } catch {
    return undefined;
  }
}

/** Web Crypto, which every runtime has, compares in constant time. */
async function isSigned(body: string, signature: string, secret: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  const bytes = Uint8Array.from(signature.match(/[0-9a-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));
  return crypto.subtle.verify('HMAC', key, bytes, encoder.encode(body));
}
