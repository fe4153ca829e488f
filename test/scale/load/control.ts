import type { Json } from '../../models/reference-model/resources.ts';
import { Connection } from './connection.ts';

/** Client of the control API of a mock or sandbox. Throws on any error. */
export class Control {
  readonly controlUrl: string;
  readonly #connection: Connection;

  constructor(controlUrl: string, connection = new Connection()) {
    this.controlUrl = controlUrl;
    this.#connection = connection;
  }

  async call(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await this.#connection.send(this.controlUrl, {
      method,
      path,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer === undefined) throw new Error(`${method} ${path} of the control API was not answered`);
    if (answer.status >= 300)
      throw new Error(`${method} ${path} of the control API: ${answer.status} ${answer.text.slice(0, 500)}`);
    return JSON.parse(answer.text) as Json;
  }

  /** The control of a sandbox, over the same connection. */
  of(controlUrl: string): Control {
    return new Control(controlUrl, this.#connection);
  }

  close(): void {
    this.#connection.close();
  }
}
