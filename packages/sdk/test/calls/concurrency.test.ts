import { createMock } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { createClient } from '../../src/index.ts';
import { applied, json, type Step, scripted } from '../../test-support/servers/scripted.ts';

test('a thousand calls at once are sent in their order, and leave nothing behind', async () => {
  const slowly: Step = async (request, body) => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    return applied(request, body);
  };
  const { client, sent } = scripted([slowly]);
  const names = Array.from({ length: 1000 }, (_, n) => `Tag ${n}`);
  await client.tags.create({ name: 'first', color: 'pink' });
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  const outcomes = await Promise.all(names.map((name) => client.tags.create({ name, color: 'pink' })));
  expect(sent.slice(1).map(({ body }) => JSON.parse(body).change.data.name)).toEqual(names);
  expect(new Set(outcomes.map(({ operationId }) => operationId)).size).toBe(1000);
  // The bodies the script keeps for this test are part of it.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1024 * 1024);
  expect(await client.operations.list()).toHaveLength(1000);
});

test('the memory journal stays bounded', async () => {
  const { client } = scripted([applied]);
  for (let n = 0; n < 1500; n++) await client.tags.create({ name: `Tag ${n}`, color: 'pink' });
  expect(await client.operations.list()).toHaveLength(1000);
});

test('a thousand changes at once to the mock are applied once each, faults or not', async () => {
  const mock = createMock({ rateLimit: 'off' });
  const client = createClient({
    apiKey: 'demo-write-key',
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    pacing: false,
    retry: { maxAttempts: 10, baseDelayMs: 1, maxDelayMs: 5 },
  });
  for (const effect of ['lose-response', 'drop-request', 'cut-response'] as const) {
    mock.faults.arm({ effect, operation: 'changeChat', after: 100, times: 100 });
  }
  const names = Array.from({ length: 1000 }, (_, n) => `Concurrent ${n}`);
  await Promise.all(names.map((name) => client.templates.create({ name, text: 'x' })));
  const made: string[] = [];
  for await (const { name } of client.templates.list()) if (name.startsWith('Concurrent')) made.push(name);
  expect(made.sort()).toEqual(names.sort());
  expect(mock.operations()).toHaveLength(1000);
});

test('reads in a queue keep their order when many wait', async () => {
  const { client, sent } = scripted([json({ records: [], total: 0, limited: false })]);
  await Promise.all(Array.from({ length: 1000 }, (_, n) => client.tags.list({ offset: n + 1 })));
  expect(sent.map(({ body }) => JSON.parse(body).offset)).toEqual(
    Array.from({ length: 1000 }, (_, n) => n + 1),
  );
});
