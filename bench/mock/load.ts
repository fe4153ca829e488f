import { connect } from 'node:net';

/** A request as bytes, and where in them an operationId stands that must be another each time. */
export interface Shot {
  readonly bytes: Buffer;
  readonly idAt?: number;
}

export function shot(port: number, path: string, body: object, key = 'demo-write-key'): Shot {
  const text = JSON.stringify(body);
  const head = `POST /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`;
  return { bytes: Buffer.from(head + text) };
}

const placeholder = '00000000-0000-4000-8000-000000000000';

/** The same with a new operationId each time. */
export function freshShot(port: number, path: string, body: object): Shot {
  const { bytes } = shot(port, path, { operationId: placeholder, ...body });
  return { bytes, idAt: bytes.indexOf(placeholder) };
}

let count = 0;

/** Writes the next number into the id; each is used once in the life of this process. */
function renew(bytes: Buffer, idAt: number): void {
  bytes.write((count++).toString(16).padStart(12, '0'), idAt + 24, 'latin1');
}

/** Requests a second over `connections`, each waiting for its answer, for `milliseconds`. */
export async function rate(
  port: number,
  { bytes, idAt }: Shot,
  milliseconds: number,
  connections = 20,
): Promise<number> {
  let done = 0;
  const until = performance.now() + milliseconds;
  const begun = performance.now();
  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const own = Buffer.from(bytes);
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let waitFor = 0;
      let got = 0;
      const send = (): void => {
        if (idAt !== undefined) renew(own, idAt);
        waitFor = 0;
        got = 0;
        socket.write(own);
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('data', (chunk: Buffer) => {
        got += chunk.length;
        if (waitFor === 0) waitFor = lengthOf(chunk);
        if (got < waitFor) return;
        done++;
        if (performance.now() < until) send();
        else {
          socket.destroy();
          resolve();
        }
      });
    });
  await Promise.all(Array.from({ length: connections }, run));
  return (done * 1000) / (performance.now() - begun);
}

/** The bytes of a whole answer, by its head, which comes in one piece. */
function lengthOf(chunk: Buffer): number {
  const end = chunk.indexOf('\r\n\r\n');
  const head = chunk.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  if (status >= 300) throw new Error(`answered ${chunk.toString()}`);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  return end + 4 + length;
}

/** One answer, for a server that is to give the same. */
export async function answerOf(port: number, path: string, body: object): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo-write-key', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

export const median = (values: readonly number[]): number =>
  values.slice().sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** `0.84 (0.80–0.88)`: the median of some ratios and how far they spread. */
export function spread(values: readonly number[]): string {
  const sorted = values.slice().sort((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[0], sorted[sorted.length - 1]];
  return `${median(values).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}
