import { createMock, type Mock } from '@orgchat/mock-server';
import { median } from './load.ts';

/* A thousand sandboxes at once, each asked something: `node --expose-gc --import tsx bench/mock/sandboxes.ts`. */
const count = 1000;
const collect = (): void => (globalThis as { gc?: () => void }).gc?.();
const root = createMock();
for (let i = 0; i < 200; i++) root.sandbox().drop();
collect();
const before = process.memoryUsage().rss;
const sandboxes: Mock[] = [];
const times: number[] = [];
for (let i = 0; i < count; i++) {
  const begun = performance.now();
  sandboxes.push(root.sandbox());
  times.push(performance.now() - begun);
}
for (const sandbox of sandboxes) {
  for (const resource of ['tags', 'friends', 'scenarios']) {
    await sandbox.fetch(`${sandbox.baseUrl}/chat/read`, {
      method: 'POST',
      headers: { Authorization: 'Bearer demo-write-key' },
      body: JSON.stringify({ resource }),
    });
  }
  await sandbox.fetch(`${sandbox.baseUrl}/chat/changes`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo-write-key' },
    body: JSON.stringify({
      operationId: crypto.randomUUID(),
      change: { action: 'create-tags', data: { name: 'x', color: 'blue' } },
    }),
  });
}
collect();
const megabytes = (process.memoryUsage().rss - before) / 2 ** 20;
console.log(
  `a sandbox: ${(median(times) * 1000).toFixed(0)} µs (target 1000); ${count} used ones: ${megabytes.toFixed(0)} MB (target 200)`,
);
