import { Agent, type ClientRequest, request } from 'node:http';

/** A request of the API; `path` stands below the base URL. */
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

/** One connection, which has one request under way at a time and is opened anew where it breaks. */
export class Connection {
  // It lets go of a socket that was idle for long, before the server does: a request must not meet its end.
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
