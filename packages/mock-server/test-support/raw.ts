import { connect, type Socket } from 'node:net';

/** A TCP connection that sends bytes unchanged. */
export class Raw {
  readonly socket: Socket;
  #received = '';
  error: NodeJS.ErrnoException | undefined;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('latin1');
    this.socket.on('data', (chunk: string) => {
      this.#received += chunk;
    });
    this.socket.on('error', (error) => {
      this.error = error;
    });
  }

  send(text: string | Uint8Array): this {
    this.socket.write(text);
    return this;
  }

  get received(): string {
    return this.#received;
  }

  /** Resolves to everything received, once the other side closes the connection. */
  async ended(): Promise<string> {
    if (!this.socket.closed) await new Promise((resolve) => this.socket.once('close', resolve));
    return this.#received;
  }

  /** Resolves to everything received, once it contains a text the given number of times. */
  async until(text: string, times = 1): Promise<string> {
    while (this.#received.split(text).length <= times) {
      await new Promise((resolve, reject) => {
        const closed = (): void => reject(new Error(`closed after: ${this.#received}`));
        this.socket.once('close', closed);
        this.socket.once('data', (chunk) => {
          this.socket.off('close', closed);
          resolve(chunk);
        });
      });
    }
    return this.#received;
  }
}
