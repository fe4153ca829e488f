import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import { createClient } from 'redis';
import { findFreePort } from '../free-port.ts';

/** A Redis of its own: on a free loopback port, with its data in a temporary folder. */
export interface RedisServer {
  readonly port: number;
  /** Creates a client of ioredis, which `stop` ends. It connects to `port`, which may be that of a proxy. */
  ioredis(options?: Omit<RedisOptions, 'replyMapping'>): Redis;
  /** Creates a connected client of node-redis, which `stop` ends. */
  nodeRedis(options?: NodeRedisOptions): Promise<NodeRedis>;
  /** Ends the engine: by SIGKILL, it dies at once. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Starts it again, on the same port and data. */
  start(): Promise<void>;
  /** Ends clients and engine, and removes the data. */
  stop(): Promise<void>;
}

export type NodeRedis = ReturnType<typeof createNodeRedis>;

interface NodeRedisOptions {
  readonly port?: number;
  readonly username?: string;
  readonly password?: string;
}

function createNodeRedis({ port = 0, ...options }: NodeRedisOptions) {
  return createClient({
    ...options,
    socket: { host: '127.0.0.1', port, reconnectStrategy: (retries) => Math.min(20 + retries * 20, 200) },
  });
}

/** Returns whether an engine answers. It may ask for a password, and says so while it loads its data. */
async function isReady(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    const answer = new Promise<Buffer>((resolve, reject) => {
      socket.once('data', resolve);
      socket.once('error', reject);
    });
    socket.write('PING\r\n');
    return /^(\+PONG|-NOAUTH)/.test(String(await answer));
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** How the journal asks for it: nothing is evicted, and everything is on disk before it is confirmed. */
export const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'];

/** Starts an engine. `settings` are arguments of redis-server, and come last. */
export async function startRedis(settings: readonly string[] = durable): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const port = await findFreePort();
  const ends: (() => void)[] = [];
  let engine: ChildProcess | undefined;

  async function start(): Promise<void> {
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    engine = spawn('redis-server', [...own, ...settings], { stdio: 'ignore' });
    let failure: Error | undefined;
    engine.once('error', (error) => {
      failure = new Error('Redis is not installed: apt-get install redis-server', { cause: error });
    });
    for (let tries = 0; tries < 500; tries++) {
      if (failure) throw failure;
      if (await isReady(port)) return;
      await sleep(20);
    }
    throw new Error('Redis did not start');
  }

  async function kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ended = new Promise((resolve) => engine?.once('exit', resolve));
    if (engine?.exitCode !== null || engine.signalCode !== null || !engine.kill(signal)) return;
    await ended;
  }

  await start();
  return {
    port,
    ioredis(options = {}) {
      const client = new Redis({ port, retryStrategy: (times) => Math.min(times * 20, 200), ...options });
      // A connection that breaks must not fill the output of the test run.
      client.on('error', () => undefined);
      ends.push(() => client.disconnect());
      return client;
    },
    async nodeRedis(options = {}) {
      const client = createNodeRedis({ port, ...options });
      client.on('error', () => undefined);
      ends.push(() => {
        if (client.isOpen) client.destroy();
      });
      return client.connect();
    },
    kill,
    start,
    async stop() {
      for (const end of ends) end();
      await kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
