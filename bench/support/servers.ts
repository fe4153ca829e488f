import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Child } from './child-process.ts';
import { built, command, document, prism } from './paths.ts';

/** A server in its own process. */
export class Server {
  readonly #child: Child;
  readonly baseUrl: string;

  constructor(child: Child, baseUrl: string) {
    this.#child = child;
    this.baseUrl = baseUrl;
  }

  /** Sets what a peer answers. */
  answer(text: string): Promise<void> {
    return this.#child.ask('answer', text);
  }

  /** Microseconds of processor time since its start. */
  cpu(): Promise<number> {
    return this.#child.ask('cpu');
  }

  /** Its resident memory in megabytes. */
  async memory(): Promise<number> {
    return (await this.#child.ask<number>('memory')) / 1e6;
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

const usage = ['--import', join(built, 'workers/usage.js')];

const toldPort = (line: string): number | undefined => {
  if (!line.startsWith('{"port"')) return undefined;
  return (JSON.parse(line) as { port: number }).port;
};

async function startPeer(name: string): Promise<Server> {
  const child = new Child([...usage, join(built, `peers/${name}.js`)]);
  const port = await child.line(toldPort);
  return new Server(child, `http://127.0.0.1:${port}/api/v1`);
}

/** Starts the mock server as a user does, without limits. */
export async function startMock(...more: string[]): Promise<Server> {
  const limits = ['--rate-limit', 'off', '--monthly-limit', 'off'];
  const child = new Child([...usage, command, 'mock', 'start', '--port', '0', '--json', ...limits, ...more]);
  return new Server(child, await child.line(readyAt));
}

export const readyAt = (line: string): string | undefined =>
  line.startsWith('{"event":"ready"') ? (JSON.parse(line) as { baseUrl: string }).baseUrl : undefined;

/** A free port, for a server that cannot choose one. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Arguments of Prism with the same document. It answers with the examples of the document. */
async function startPrism(): Promise<Server> {
  const port = await freePort();
  const child = new Child([...usage, ...prismArguments(port)]);
  await child.line((line) => line.includes('Prism is listening') || undefined);
  return new Server(child, `http://127.0.0.1:${port}`);
}

export const prismArguments = (port: number): string[] => [
  prism,
  'mock',
  document,
  '--host',
  '127.0.0.1',
  '--port',
  String(port),
];

/** The other servers, by the names in the table. */
export const peers = {
  'bare node:http': () => startPeer('bare'),
  Fastify: () => startPeer('fastify'),
  Hono: () => startPeer('hono'),
  'Prism mock': startPrism,
  'msw with http-middleware': () => startPeer('msw'),
  Mockoon: () => startPeer('mockoon'),
  'json-server': () => startPeer('json-server'),
} as const;
export type PeerName = keyof typeof peers;
