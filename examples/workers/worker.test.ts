import { loadAfresh } from '../order-webhook/test-support/load-afresh.ts';
import { testOrderWebhook, toRequest, toWebhookAnswer } from '../order-webhook/test-support/webhook-tests.ts';

/* The worker in Node. `npm run test:runtimes` runs it in workerd. */
testOrderWebhook(async () => {
  const { default: worker } = await loadAfresh<typeof import('./worker.ts')>(
    new URL('./worker.ts', import.meta.url),
  );
  const { ORGCHAT_API_KEY = '', ORGCHAT_BASE_URL = '', ORDER_TAG_ID = '', WEBHOOK_SECRET = '' } = process.env;
  const env = { ORGCHAT_API_KEY, ORGCHAT_BASE_URL, ORDER_TAG_ID, WEBHOOK_SECRET };
  return {
    deliver: async (delivery) => toWebhookAnswer(await worker.fetch(toRequest(delivery), env)),
    end() {},
  };
});
