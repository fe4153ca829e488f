import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createMock } from '@orgchat/mock-server';
import { createClient, type Friend } from '@orgchat/sdk';
import { afterEach, expect, it } from 'vitest';
import { bundleProgram } from '../../test/test-support/bundle-program.ts';
import { deliveryOf, secret } from './test-support/order-delivery.ts';
import { deliverOverHttp } from './test-support/webhook-tests.ts';

const running: ChildProcess[] = [];

afterEach(() => {
  for (const server of running.splice(0)) server.kill('SIGKILL');
});

interface Running {
  readonly server: ChildProcess;
  readonly port: number;
}

async function start(framework: string, env: NodeJS.ProcessEnv): Promise<Running> {
  const program = fileURLToPath(new URL(`../${framework}/server.ts`, import.meta.url));
  const server = spawn(process.execPath, [bundleProgram(program)], {
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

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

it.each(['express', 'fastify'])(
  '%s: an order is applied once if its process is killed, or told to end, before the answer',
  // It starts two processes, which takes long on a machine that is busy.
  { timeout: 90_000 },
  async (framework) => {
    // The delay of a fault lasts until the test ends it.
    let arrived = (): void => {};
    let proceed = (): void => {};
    const mock = createMock({
      rateLimit: 'off',
      sleep: () => {
        arrived();
        return new Promise((resolve) => {
          proceed = resolve;
        });
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
    /** Delivers an order, ends the process by a signal while the mock has the request, and lets the mock proceed. */
    async function endDuring(id: string, { server, port }: Running, signal: NodeJS.Signals) {
      mock.faults.arm({ effect: 'delay', operation: 'changeChat', delayMs: 1 });
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const answered = deliverOverHttp(port, deliveryOf(id, friend)).catch(() => 'no answer');
      await arrival;
      const exited = once(server, 'exit');
      server.kill(signal);
      if (signal === 'SIGKILL') await exited;
      // Only then is it certain that the signal came before the answer.
      while (await isListening(port));
      proceed();
      const [code] = (await exited) as [number | null];
      return { code, answer: await answered };
    }

    const killed = await endDuring('A-1', await start(framework, env), 'SIGKILL');
    expect(killed).toEqual({ code: null, answer: 'no answer' });

    const second = await start(framework, env);
    // While the new process asks about the order by itself, it may ask the sender to come again.
    let redelivered = await deliverOverHttp(second.port, deliveryOf('A-1', friend));
    while (redelivered.status === 503)
      redelivered = await deliverOverHttp(second.port, deliveryOf('A-1', friend));
    expect(redelivered).toMatchObject({ status: 200, body: { replayed: true } });
    expect((await client.friends.get(friend)).tagIds).toEqual([...friend.tagIds, vip?.id]);

    const ended = await endDuring('A-2', second, 'SIGTERM');
    expect(ended).toMatchObject({ code: 0, answer: { status: 200 } });
    expect(mock.requests.list().filter(({ applied }) => applied)).toHaveLength(2);
    await close();
  },
);
