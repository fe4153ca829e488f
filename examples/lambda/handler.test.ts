import { readFileSync } from 'node:fs';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { loadAfresh } from '../order-webhook/test-support/load-afresh.ts';
import { type RunningWebhook, testOrderWebhook } from '../order-webhook/test-support/webhook-tests.ts';

const fixture: APIGatewayProxyEventV2 = JSON.parse(
  readFileSync(new URL('./api-gateway-event.json', import.meta.url), 'utf8'),
);

/** Starts an instance of the function, which loads the handler once. */
async function startInstance(): Promise<RunningWebhook> {
  const { handler } = await loadAfresh<typeof import('./handler.ts')>(
    new URL('./handler.ts', import.meta.url),
  );
  let deliveries = 0;
  return {
    async deliver({ body, signature }) {
      // API Gateway encodes bodies if the type is binary. Every second delivery has one.
      const isBase64Encoded = deliveries++ % 2 === 1;
      const event: APIGatewayProxyEventV2 = {
        ...fixture,
        headers: { ...fixture.headers, ...(signature && { 'x-signature': signature }) },
        body: isBase64Encoded ? Buffer.from(body).toString('base64') : body,
        isBase64Encoded,
      };
      const result = (await handler(event, {} as Context, () => {})) as APIGatewayProxyStructuredResultV2;
      const { statusCode = 0, headers, body: answered = '' } = result;
      return {
        status: statusCode,
        retryAfter: (headers?.['retry-after'] as string | undefined) ?? null,
        body: JSON.parse(answered) as unknown,
      };
    },
    end() {},
  };
}

testOrderWebhook(startInstance);
