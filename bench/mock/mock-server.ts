const built = new URL('../../packages/mock-server/dist/index.js', import.meta.url).href;
const { createMock } = (await import(built)) as typeof import('@orgchat/mock-server');

/* The mock as it is built, for the load: no limits, 200 tags more than the demo; kept in a file where one is named. */
const [file] = process.argv.slice(2);
const mock = createMock({ rateLimit: 'off', monthlyLimit: 'off', ...(file !== undefined && { data: file }) });
for (let i = 0; i < 200; i++) {
  const change = { action: 'create-tags', data: { name: `Tag ${i}`, color: 'blue' } };
  await mock.fetch(`${mock.baseUrl}/chat/changes`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo-write-key' },
    body: JSON.stringify({ operationId: crypto.randomUUID(), change }),
  });
}
const server = await mock.listen({ port: 0 });
console.log(server.port);
process.on('SIGINT', () => process.exit(0));
