/* Node, Bun and Deno: the mock server and the SDK, required and imported in one process. Prints facts as JSON. */
const { createMock } = require('@orgchat/mock-server');
const { createClient, NotFoundError } = require('@orgchat/sdk');

async function collectFacts() {
  const imported = { ...(await import('@orgchat/sdk')), ...(await import('@orgchat/mock-server')) };
  const mock = createMock();
  const listening = await mock.listen({ port: 0 });
  const client = createClient({
    apiKey: mock.writeKey,
    baseUrl: listening.baseUrl,
    retry: { baseDelayMs: 1 },
  });
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
  const { replayed } = await client.tags.create({ name: 'VIP', color: 'pink' });
  const missing = await client.tags.get(crypto.randomUUID()).catch((error) => error);
  await listening.close();
  return {
    replayed,
    operations: mock.operations().length,
    sameClasses: imported.NotFoundError === NotFoundError && imported.createMock === createMock,
    notFound: missing instanceof NotFoundError,
  };
}

collectFacts().then((facts) => {
  console.log(JSON.stringify(facts));
  process.exit();
});
