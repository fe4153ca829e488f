import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { account, record } from './scripted.ts';

/* A server that answers with any bytes: wrong bodies, wrong lengths, wrong headers, cut at any place. */

export const bodies = [
  'right',
  'byte order mark',
  'another record',
  'wrong types',
  'error document',
  'page',
  'empty',
  'null',
  'array',
  'doubled',
  'cut JSON',
  'brackets',
  'huge',
] as const;
export const framings = [
  'length',
  'chunked',
  'until close',
  'compressed',
  'too long a length',
  'two lengths',
  'cut chunks',
  'not compressed',
] as const;

export interface HostileAnswer {
  readonly interim: readonly string[];
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: (typeof bodies)[number];
  readonly framing: (typeof framings)[number];
  /** Ends the connection with a reset instead of a FIN. */
  readonly resets: boolean;
}

/** Whether the whole body arrives. */
export const isWhole = ({ framing }: HostileAnswer): boolean => framings.indexOf(framing) < 4;

export const hostileFriend = {
  accountId: '0a1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
  userId: `U${'1'.repeat(32)}`,
  revision: record.revision,
  label: record.label,
};
const another = '22222222-2222-4222-8222-222222222222';
export const maxBytes = 100_000;

/** A body that is right for every call: it has the fields of all. */
function createRightBody(id = record.id): Record<string, unknown> {
  const at = '2026-05-01T00:00:00.000Z';
  const one = {
    ...record,
    ...{ ...hostileFriend, displayName: 'Hana', status: 'unread', notes: null, tagIds: [] },
    ...{ id, title: 'A', description: '', archived: false, kind: 'note', body: '# A', updatedAt: at },
    ...{ scenarioId: record.id, text: 'x', createdAt: at, deleted: true },
    ...(id === record.id ? {} : { userId: `U${'2'.repeat(32)}`, accountId: another }),
  };
  return {
    ...account,
    ...{ ok: true, applied: true, replayed: false, auditRecorded: true, result: one },
    ...{ record: one, records: [one], total: 1, limited: false, added: ['a'], skipped: [] },
    ...{ projects: [one], project: one, documents: [one], document: one, next: null },
  };
}

function createBody(kind: HostileAnswer['body']): string {
  const right = JSON.stringify(createRightBody());
  const made: Readonly<Record<HostileAnswer['body'], () => string>> = {
    right: () => right,
    'byte order mark': () => `\ufeff${right}`,
    'another record': () => JSON.stringify(createRightBody(another)),
    'wrong types': () =>
      JSON.stringify(Object.fromEntries(Object.keys(createRightBody()).map((name) => [name, 'x']))),
    'error document': () => JSON.stringify({ error: 'SOME_CODE', message: 'no' }),
    page: () => '<html>You are blocked.</html>',
    empty: () => '',
    null: () => 'null',
    array: () => `[${right}]`,
    doubled: () => right + right,
    'cut JSON': () => right.slice(0, -1),
    brackets: () => '['.repeat(50_000),
    huge: () => `${right}${' '.repeat(maxBytes)}`,
  };
  return made[kind]();
}

function writeAnswer(socket: Socket, answer: HostileAnswer, text: string): void {
  const { interim, status, headers, framing, resets } = answer;
  const isGzip = framing === 'compressed' || framing === 'not compressed';
  const bytes = framing === 'compressed' ? gzipSync(text) : Buffer.from(text);
  const isChunked = framing === 'chunked' || framing === 'cut chunks';
  const lengths: Readonly<Record<string, readonly number[]>> = {
    'until close': [],
    'too long a length': [bytes.length + 10],
    'two lengths': [bytes.length, bytes.length + 1],
  };
  const lines = [
    ...interim.flatMap((line) => [`HTTP/1.1 ${line}`, '']),
    `HTTP/1.1 ${status} Any`,
    ...headers,
    ...(isGzip ? ['Content-Encoding: gzip'] : []),
    ...(isChunked
      ? ['Transfer-Encoding: chunked']
      : (lengths[framing] ?? [bytes.length]).map((length) => `Content-Length: ${length}`)),
    'Connection: close',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const head = isChunked ? `${bytes.length.toString(16)}\r\n` : '';
  const end = framing === 'chunked' ? '\r\n0\r\n\r\n' : '';
  // JSON ends by itself, so a cut behind it takes nothing away.
  const part = framing === 'cut chunks' ? bytes.subarray(0, bytes.length * 0.4) : bytes;
  socket.write(Buffer.concat([Buffer.from(head), part, Buffer.from(end)]), () => {
    if (resets && framing === 'cut chunks') socket.resetAndDestroy();
    else socket.end();
  });
}

export interface HostileServer {
  readonly baseUrl: string;
  /** What arrived: path and body of each request, since the last call of `answer()`. */
  readonly requests: { readonly path: string; readonly body: string }[];
  /** Sets the answer to requests for which `isHostile` is true; the others are answered rightly. */
  answer(answer: HostileAnswer, isHostile: (path: string) => boolean): void;
  close(): Promise<void>;
}

const right: HostileAnswer = {
  interim: [],
  status: 200,
  headers: ['Content-Type: application/json'],
  body: 'right',
  framing: 'length',
  resets: false,
};

export async function openHostileServer(): Promise<HostileServer> {
  let hostile = right;
  let isHostile = (_path: string): boolean => false;
  const requests: { path: string; body: string }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let received = '';
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received += data.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      const isChunked = /transfer-encoding: chunked/i.test(received);
      if (end < 0 || received.length < end + 4 + length) return;
      if (isChunked && !received.endsWith('0\r\n\r\n')) return;
      const path = received.split(' ')[1] ?? '';
      requests.push({ path, body: received.slice(end + 4) });
      const answer = isHostile(path) ? hostile : right;
      writeAnswer(socket, answer, createBody(answer.body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    requests,
    answer(answer, chosen) {
      hostile = answer;
      isHostile = chosen;
      requests.length = 0;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
