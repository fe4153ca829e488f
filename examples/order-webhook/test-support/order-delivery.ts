import { createHmac } from 'node:crypto';
import type { Friend } from '@orgchat/sdk';
import type { Delivery } from '../handle-order.ts';

export const secret = 'whsec_test';

/** What the sender of the webhook sends for an order of a friend. */
export function deliveryOf(
  id: string,
  { accountId, userId }: Pick<Friend, 'accountId' | 'userId'>,
): Delivery {
  return signed(JSON.stringify({ type: 'order.paid', id, friend: { accountId, userId } }));
}

/** A delivery with any body, signed as the sender does. */
export const signed = (body: string): Delivery => ({
  body,
  signature: createHmac('sha256', secret).update(body).digest('hex'),
});
