import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Starts a server that accepts connections and never answers. */
export async function startSilentServer() {
  const held: Socket[] = [];
  const server = createServer((socket) => void held.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close(): void {
      for (const socket of held) socket.destroy();
      server.close();
    },
  };
}
