import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createMock } from '@orgchat/mock-server';
import { createClient, type Friend } from '@orgchat/sdk';
import { afterEach, expect, it } from 'vitest';
import { deliveryOf, secret } from './test-support/order-delivery.ts';
import { deliverOverHttp } from './test-support/webhook-tests.ts';

const running: ChildProcess[] = [];

afterEach(() => {
  for (const server of running.splice(0)) server.kill('SIGKILL');
});

async function start(
  framework: string,
  env: NodeJS.ProcessEnv,
): Promise<{ server: ChildProcess; port: number }> {
  const program = fileURLToPath(new URL(`../${framework}/server.ts`, import.meta.url));
  const server = spawn(process.execPath, ['--import', 'tsx', program], {
    env: { ...process.env, ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(server);
  for await (const line of createInterface({ input: server.stdout })) {
    const [, port] = /^Listening.*:\s?(\d+)/.exec(line) ?? [];
    if (port !== undefined) return { server, port: Number(port) };
  }
  throw new Error(`The ${framework} server ended before it listened`);
}

it.each(['express', 'fastify'])(
  '%s: an order whose process is killed between the request and its answer is applied once',
  async (framework) => {
    // The delay of the fault lasts until the process is dead.
    let arrived = (): void => {};
    let proceed = (): void => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const death = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const mock = createMock({
      rateLimit: 'off',
      sleep: () => {
        arrived();
        return death;
      },
    });
    const { baseUrl, close } = await mock.listen({ port: 0 });
    const client = createClient({ apiKey: 'demo-write-key', baseUrl, pacing: false });
    const friend = (await client.friends.list({ search: 'Ben' }).first()) as Friend;
    const vip = await client.tags.find({ name: 'VIP' });
    const env = {
      ORGCHAT_API_KEY: 'demo-write-key',
      ORGCHAT_BASE_URL: baseUrl,
      ORDER_TAG_ID: vip?.id,
      WEBHOOK_SECRET: secret,
      JOURNAL_DIR: mkdtempSync(join(tmpdir(), 'crash-')),
    };
    const delivery = deliveryOf('A-1', friend);

    mock.faults.arm({ effect: 'delay', operation: 'changeChat', delayMs: 1 });
    const first = await start(framework, env);
    const lost = deliverOverHttp(first.port, delivery).catch(() => 'no answer');
    await arrival;
    first.server.kill('SIGKILL');
    await once(first.server, 'exit');
    expect(await lost).toBe('no answer');
    proceed();

    const { port } = await start(framework, env);
    // While the new process asks about the order by itself, it may ask the sender to come again.
    let redelivered = await deliverOverHttp(port, delivery);
    while (redelivered.status === 503) redelivered = await deliverOverHttp(port, delivery);
    expect(redelivered).toMatchObject({ status: 200, body: { replayed: true } });
    expect(mock.requests.list().filter(({ applied }) => applied)).toHaveLength(1);
    expect((await client.friends.get(friend)).tagIds).toEqual([...friend.tagIds, vip?.id]);
    await close();
  },
);
