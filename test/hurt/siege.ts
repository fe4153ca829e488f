import { connect, type Socket } from 'node:net';
import { head, me, posting } from './pieces.ts';
import { responsesIn } from './responses.ts';

/*
 * Clients that want nothing but the server's patience, for as long as it has any: headers and bodies of which a byte
 * comes now and then, connections that are kept half open after they were refused, and answers that are never read.
 */

const posted = posting('/chat/read', 'demo-read-key');

interface Sort {
  readonly name: string;
  readonly first: string;
  /** What goes on coming, a piece at a time. */
  readonly trickle?: string;
  /** With what it is sent away in the end; where there is nothing, it may stay. */
  readonly end?: number;
  readonly reads: boolean;
}

const sorts: readonly Sort[] = [
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
    // Far more than lies between two sockets: the server must stop making answers.
    first: head('GET /openapi.yaml HTTP/1.1', 'Host: localhost').repeat(200),
    reads: false,
  },
];

/** A moment between two pieces: many of them in the server's patience with a header. */
const pieceMs = 500;

class Besieger {
  readonly #sort: Sort;
  readonly #socket: Socket;
  readonly #chunks: Buffer[] = [];
  readonly #gone: Promise<void>;

  constructor(port: number, sort: Sort) {
    this.#sort = sort;
    // It never ends its side by itself.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    if (!sort.reads) socket.pause();
    this.#gone = new Promise((resolve) =>
      socket
        .on('error', () => {})
        .on('close', () => resolve())
        .on('end', resolve),
    );
    socket.write(sort.first);
    const timer = setInterval(() => {
      if (sort.trickle !== undefined && socket.writable) socket.write(sort.trickle);
    }, pieceMs);
    this.#gone.then(() => clearInterval(timer));
  }

  /** Waits until it was sent away, and says what is wrong with that. */
  async sentAway(): Promise<string | undefined> {
    const { name, end } = this.#sort;
    if (end === undefined) return undefined;
    await this.#gone;
    const { responses } = responsesIn(Buffer.concat(this.#chunks));
    const statuses = responses.map(({ status }) => status).join(', ');
    return statuses === String(end)
      ? undefined
      : `${name}: it was answered ${statuses || 'nothing'}, not ${end}`;
  }

  leave(): void {
    this.#socket.destroy();
  }
}

/** So many clients of each sort. */
export class Siege {
  readonly #besiegers: readonly Besieger[];

  constructor(port: number, ofEach: number) {
    this.#besiegers = sorts.flatMap((sort) => Array.from({ length: ofEach }, () => new Besieger(port, sort)));
  }

  get clients(): number {
    return this.#besiegers.length;
  }

  /** Waits until all were sent away who are to be; says what is wrong. */
  async end(): Promise<string[]> {
    const said = await Promise.all(this.#besiegers.map((besieger) => besieger.sentAway()));
    return [...new Set(said.filter((wrong) => wrong !== undefined))];
  }

  leave(): void {
    for (const besieger of this.#besiegers) besieger.leave();
  }
}
