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
  close(): Promise<void>;
}

/** Starts a proxy to a port on the loopback interface. */
export async function startFaultyNetwork(to: number): Promise<FaultyNetwork> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let isLosing = false;
  let losing: Socket | undefined;

  const server = createServer((front) => {
    if (isCut) {
      front.destroy();
      return;
    }
    const back = connect(to, '127.0.0.1');
    for (const socket of [front, back]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        front.destroy();
        back.destroy();
      });
    }
    front.on('data', (chunk) => {
      if (isLosing) {
        isLosing = false;
        losing = back;
      }
      back.write(chunk);
    });
    back.on('data', (chunk) => {
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
    async close() {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
