import { loadAfresh } from '../order-webhook/test-support/load-afresh.ts';
import { testOrderWebhook, toRequest, toWebhookAnswer } from '../order-webhook/test-support/webhook-tests.ts';

/* Next.js calls POST with a NextRequest, which is a Request. */
testOrderWebhook(async () => {
  const { POST } = await loadAfresh<typeof import('./route.ts')>(new URL('./route.ts', import.meta.url));
  return {
    deliver: async (delivery) => toWebhookAnswer(await POST(toRequest(delivery))),
    end() {},
  };
});
