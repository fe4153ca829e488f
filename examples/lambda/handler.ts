/*
 * The order webhook as an AWS Lambda function. It is behind an HTTP API of API Gateway (payload format 2.0) or a
 * function URL.
 *
 * The journal is in memory, because a function has no disk that outlives it. What survives is the event: the id of the
 * order is the intent, so a redelivery has the same operation id in every instance. Without `acceptKnownIntent`, and with
 * a journal on EFS, an instance also knows what another one left unfinished:
 * `createClient({ journal: fileJournal('/mnt/efs/journal') })`.
 */
import { createClient } from '@orgchat/sdk';
import type { APIGatewayProxyHandlerV2 } from 'aws-lambda';
import { handleOrder } from '../order-webhook/handle-order.ts';

const { ORDER_TAG_ID = '', WEBHOOK_SECRET = '' } = process.env;
if (WEBHOOK_SECRET === '') throw new Error('Set WEBHOOK_SECRET to the secret of the sender.');

// One client for all events of this instance. The deadline is below the time-out of the function, and API Gateway waits
// 30 seconds. The pacing counts per instance: divide the limit of the key by the number of concurrent instances.
const client = createClient({ timeoutMs: 20_000, pacing: { perMinute: 30 } });

export const handler: APIGatewayProxyHandlerV2 = async (event) => {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').toString();
  const signature = event.headers['x-signature'];
  const settings = { tagId: ORDER_TAG_ID, secret: WEBHOOK_SECRET };
  const answer = await handleOrder(client, settings, { body, signature });
  return {
    statusCode: answer.status,
    headers: { ...answer.headers, 'content-type': 'application/json' },
    body: JSON.stringify(answer.body),
  };
};
