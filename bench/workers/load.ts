import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { AnswerReader } from '../support/answer-reader.ts';
import { answerParent } from '../support/child-process.ts';
import { fresh } from '../support/requests.ts';

/*
 * The load generator: each connection sends the next request as soon as it has its answer. It must cost less than the
 * fastest server, so it writes prepared bytes and only looks for the end of an answer. autocannon takes as much
 * processor time per request as bare node:http, so the bench would measure autocannon.
 */

export interface Job {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface Load {
  readonly requests: number;
  /** Answers per second. */
  readonly rate: number;
  /** Microseconds of processor time per request, in this process. */
  readonly cost: number;
}

/** The request as bytes in its own buffer, and a function that writes a new UUID into it if needed. */
function requestBytes({ url, headers, body }: Job): { bytes: Buffer; renew: () => void } {
  const { pathname, host } = new URL(url);
  const uuid = randomUUID();
  const filled = body.replace(fresh, uuid);
  const length = Buffer.byteLength(filled);
  const lines = Object.entries({ Host: host, ...headers, 'Content-Length': `${length}` });
  const head = `POST ${pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const bytes = Buffer.from(head + filled);
  if (filled === body) return { bytes, renew: () => {} };
  const last = bytes.indexOf(uuid) + uuid.length;
  let count = 0;
  // Only this connection uses the buffer, so counting is enough.
  const renew = (): void => {
    const digits = (count++).toString(16);
    bytes.write(digits, last - digits.length, 'latin1');
  };
  return { bytes, renew };
}

/** Sends one request after another until `over`. Returns the number of answers. */
function converse(job: Job, over: () => boolean): Promise<number> {
  const { hostname, port } = new URL(job.url);
  const { bytes, renew } = requestBytes(job);
  return new Promise((resolve, reject) => {
    let answered = 0;
    const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const ask = (): void => {
      renew();
      socket.write(bytes);
    };
    const reader = new AnswerReader();
    const fail = (reason: string): void => {
      socket.destroy();
      reject(new Error(`${job.url}: ${reason}`));
    };
    socket.on('connect', ask).on('error', (error) => fail(error.message));
    socket.on('close', () => fail('the connection was closed without an answer'));
    socket.on('data', (chunk: Buffer) => {
      if (!reader.isWhole(chunk)) return;
      if (!reader.isSuccess) return fail(`an answer was ${reader.status}`);
      answered++;
      if (!over()) return ask();
      socket.removeAllListeners('close').destroy();
      resolve(answered);
    });
  });
}

answerParent({
  async run(job: Job): Promise<Load> {
    const before = process.cpuUsage();
    const begun = performance.now();
    const end = begun + job.seconds * 1000;
    const conversations = Array.from({ length: job.connections }, () =>
      converse(job, () => performance.now() >= end),
    );
    const counts = await Promise.all(conversations);
    const seconds = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(before);
    const requests = counts.reduce((sum, count) => sum + count, 0);
    return { requests, rate: requests / seconds, cost: (user + system) / requests };
  },
});
