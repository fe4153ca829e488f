import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A raw server: what arrived, byte by byte, and an answer to each whole request. */
export interface ByteServer {
  readonly baseUrl: string;
  /** Number of bytes that clients have sent, without those of `roundTrip`. */
  readonly bytes: () => number;
  /** Sends a byte and waits until it is back: everything that was sent before has arrived by then. */
  readonly roundTrip: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const probe = '\0';

/** Opens a server that answers each request with `body`. `onFirstByte` is called when a connection sends its first. */
export async function openByteServer(body: unknown, onFirstByte?: () => void): Promise<ByteServer> {
  let bytes = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let text = '';
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (`${chunk}` === probe) return void socket.end(probe);
      if (text === '') onFirstByte?.();
      bytes += chunk.length;
      text += chunk.toString('latin1');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (text.length < text.indexOf('\r\n\r\n') + 4 + length) return;
      const answer = JSON.stringify(body);
      const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}`;
      socket.end(`${head}\r\nconnection: close\r\n\r\n${answer}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    bytes: () => bytes,
    async roundTrip() {
      const socket = connect(port, '127.0.0.1');
      socket.write(probe);
      await once(socket, 'data');
      socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
