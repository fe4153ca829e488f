import { Agent, type ClientRequest, request } from 'node:http';

/** An API request. `path` is relative to the base URL. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly key?: string | undefined;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** One connection with one request at a time. It reconnects if the connection breaks. */
export class Connection {
  // It closes an idle socket before the server does, so that no request meets a closing socket.
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: 20_000 });

  /** What was answered in full; undefined where the connection broke first. */
  send(baseUrl: string, asked: ApiRequest): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const broken = (): void => resolve(undefined);
      const sent = this.#begin(baseUrl, asked);
      sent.on('error', broken);
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', broken);
        response.on('end', () => {
          const { statusCode: status = 0 } = response;
          const headers = response.headers as Record<string, string>;
          resolve({ status, headers, text: Buffer.concat(chunks).toString('utf8') });
        });
      });
    });
  }

  /** Sends a request and goes away before it is answered. */
  abandon(baseUrl: string, asked: ApiRequest): Promise<void> {
    return new Promise((resolve) => {
      const sent = this.#begin(baseUrl, asked);
      sent.on('error', () => {});
      sent.on('response', (response) => response.resume());
      sent.on('close', resolve);
      sent.on('finish', () => sent.destroy());
    });
  }

  #begin(baseUrl: string, { method, path, key, body }: ApiRequest): ClientRequest {
    const headers = {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    const sent = request(`${baseUrl}${path}`, { method, agent: this.#agent, headers });
    // One piece, so that its length is known and it is not chunked.
    return sent.end(body);
  }

  close(): void {
    this.#agent.destroy();
  }
}
