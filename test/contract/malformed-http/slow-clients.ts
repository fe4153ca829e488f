import { connect, type Socket } from 'node:net';
import { parseResponses } from './parse-responses.ts';
import { head, me, posting } from './valid-requests.ts';

/*
 * Clients that hold connections open: headers and bodies that arrive one byte at a time, connections left half open
 * after an error, and responses that are never read.
 */

const posted = posting('/chat/read', 'demo-read-key');

interface Behavior {
  readonly name: string;
  readonly first: string;
  /** Sent again and again, every `pieceMs`. */
  readonly trickle?: string;
  /** Status with which the server ends the connection. Undefined: the client may stay. */
  readonly end?: number;
  readonly reads: boolean;
}

const behaviors: readonly Behavior[] = [
  { name: 'slow header', first: 'GET / HTTP/1.1\r\nX: ', trickle: 'x', end: 408, reads: true },
  {
    name: 'slow body',
    first: head(...posted, 'Content-Length: 1000000'),
    trickle: ' ',
    end: 408,
    reads: true,
  },
  {
    name: 'slow chunks',
    first: head(...posted, 'Transfer-Encoding: chunked'),
    trickle: '1\r\n \r\n',
    end: 408,
    reads: true,
  },
  { name: 'silent', first: '', end: 408, reads: true },
  { name: 'half open', first: 'nonsense\r\n\r\n', end: 400, reads: true },
  { name: 'idle', first: me, reads: true },
  {
    name: 'never reads',
    // More than the socket buffers hold: the server must stop producing responses.
    first: head('GET /openapi.yaml HTTP/1.1', 'Host: localhost').repeat(200),
    reads: false,
  },
];

/** Time between two pieces. Many of them fit into the server's header timeout. */
const pieceMs = 500;

class SlowClient {
  readonly #behavior: Behavior;
  readonly #socket: Socket;
  readonly #chunks: Buffer[] = [];
  readonly #gone: Promise<void>;

  constructor(port: number, behavior: Behavior) {
    this.#behavior = behavior;
    // The client never ends its side first.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    if (!behavior.reads) socket.pause();
    this.#gone = new Promise((resolve) =>
      socket
        .on('error', () => {})
        .on('close', () => resolve())
        .on('end', resolve),
    );
    socket.write(behavior.first);
    const timer = setInterval(() => {
      if (behavior.trickle !== undefined && socket.writable) socket.write(behavior.trickle);
    }, pieceMs);
    this.#gone.then(() => clearInterval(timer));
  }

  /** Waits for the server to end the connection. Returns what is wrong with its response. */
  async waitForDisconnect(): Promise<string | undefined> {
    const { name, end } = this.#behavior;
    if (end === undefined) return undefined;
    await this.#gone;
    const { responses } = parseResponses(Buffer.concat(this.#chunks));
    const statuses = responses.map(({ status }) => status).join(', ');
    return statuses === String(end) ? undefined : `${name}: expected ${end}, got ${statuses || 'nothing'}`;
  }

  leave(): void {
    this.#socket.destroy();
  }
}

/** Slow clients: the same number of each behavior. */
export class SlowClients {
  readonly #clients: readonly SlowClient[];

  constructor(port: number, perBehavior: number) {
    this.#clients = behaviors.flatMap((behavior) =>
      Array.from({ length: perBehavior }, () => new SlowClient(port, behavior)),
    );
  }

  get clients(): number {
    return this.#clients.length;
  }

  /** Waits for the server to end the connections that it must end. Returns the problems. */
  async end(): Promise<string[]> {
    const said = await Promise.all(this.#clients.map((client) => client.waitForDisconnect()));
    return [...new Set(said.filter((wrong) => wrong !== undefined))];
  }

  leave(): void {
    for (const client of this.#clients) client.leave();
  }
}
