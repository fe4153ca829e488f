import { connect, createServer, type Socket } from 'node:net';

/** A network between a client and its engine, which can fail. */
export interface FaultyNetwork {
  readonly port: number;
  /** Breaks every connection, and refuses new ones until the returned function is called. */
  cut(): () => void;
  /** Delivers the next request, and breaks its connection instead of delivering the reply. */
  loseReply(): void;
  /** Breaks every connection. */
  breakAll(): void;
  /** Leads new connections to another port. Those that are open stay where they are. */
  moveTo(port: number): void;
  /** Delivers nothing more on the connections that are open, and does not close them. New ones work. */
  swallow(): void;
  close(): Promise<void>;
}

/** Starts a proxy to a port on the loopback interface. */
export async function startFaultyNetwork(port: number): Promise<FaultyNetwork> {
  const sockets = new Set<Socket>();
  let to = port;
  let isCut = false;
  let isLosing = false;
  let losing: Socket | undefined;
  /** By the socket of the client: whether nothing is delivered any more. */
  const swallowing = new Map<Socket, boolean>();

  const server = createServer((front) => {
    if (isCut) {
      front.destroy();
      return;
    }
    const back = connect(to, '127.0.0.1');
    swallowing.set(front, false);
    for (const socket of [front, back]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        if (swallowing.get(front)) return;
        front.destroy();
        back.destroy();
      });
    }
    front.on('data', (chunk) => {
      if (swallowing.get(front)) return;
      if (isLosing) {
        isLosing = false;
        losing = back;
      }
      back.write(chunk);
    });
    back.on('data', (chunk) => {
      if (swallowing.get(front)) return;
      if (losing === back) {
        // The engine has answered, so it has done what it was asked.
        losing = undefined;
        front.destroy();
      } else {
        front.write(chunk);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    cut() {
      isCut = true;
      breakAll();
      return () => {
        isCut = false;
      };
    },
    loseReply() {
      isLosing = true;
    },
    breakAll,
    moveTo(other) {
      to = other;
    },
    swallow() {
      for (const front of swallowing.keys()) swallowing.set(front, true);
    },
    async close() {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
