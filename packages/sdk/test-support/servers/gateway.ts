import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GatewayOptions {
  /** Sends a request whose connection to the server broke once more, as gateways do that retry a reset. */
  readonly resends?: boolean;
  /** The server's codes, by the codes of the mock. */
  readonly codes?: Readonly<Record<string, string>>;
}

export interface Gateway {
  readonly baseUrl: string;
  /** How many requests came from the client, and how many were passed to the server. */
  readonly counts: { received: number; sent: number };
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** An HTTP gateway in front of a server, such as a mock that listens. */
export async function openGateway(upstream: string, options: GatewayOptions = {}): Promise<Gateway> {
  const { host, pathname } = new URL(upstream);
  const counts = { received: 0, sent: 0 };

  function forward(method: string, path: string, headers: Answer['headers'], body: Buffer): Promise<Answer> {
    counts.sent++;
    return new Promise((resolve, reject) => {
      const [hostname, port] = host.split(':');
      // A connection of its own for each request, so that the only resending here is the one asked for.
      const outgoing = send({ hostname, port, method, path, headers: { ...headers, host }, agent: false });
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 502,
            headers: incoming.headers,
            body: Buffer.concat(parts),
          }),
        );
      });
      outgoing.end(body);
    });
  }

  function translated(body: Buffer): Buffer {
    const parsed: unknown = JSON.parse(body.toString());
    const { error } = Object(parsed) as { error?: unknown };
    const code = typeof error === 'string' ? options.codes?.[error] : undefined;
    return code === undefined ? body : Buffer.from(JSON.stringify({ ...Object(parsed), error: code }));
  }

  const server = createServer((incoming, outgoing) => {
    counts.received++;
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', async () => {
      const once = () =>
        forward(incoming.method ?? 'GET', incoming.url ?? '/', incoming.headers, Buffer.concat(parts));
      try {
        const { status, headers, body } = await once().catch((error: unknown) => {
          if (options.resends) return once();
          throw error;
        });
        const { connection: _, 'content-length': __, 'transfer-encoding': ___, ...rest } = headers;
        outgoing.writeHead(status, rest);
        outgoing.end(translated(body));
      } catch {
        outgoing.destroy();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${pathname}`,
    counts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
