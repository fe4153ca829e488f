import type { ServedMock } from './adapters.ts';

/** A record, project or document. Each test reads only fields that its answer has. */
export interface Item extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly revision: string;
  readonly label: string;
  readonly accountId: string;
  readonly userId: string;
  readonly updatedAt: string;
}

/** Every field of an answer. Each test reads only fields that its answer has. */
export interface Body {
  readonly error: string;
  readonly message: string;
  readonly record: Item;
  readonly records: readonly Item[];
  readonly total: number;
  readonly limited: boolean;
  readonly ok: boolean;
  readonly applied: boolean;
  readonly replayed: boolean;
  readonly auditRecorded: boolean;
  readonly result: Item;
  readonly added: readonly string[];
  readonly skipped: readonly string[];
  readonly projects: readonly Item[];
  readonly project: Item;
  readonly documents: readonly Item[];
  readonly document: Item;
  readonly next: string | null;
  readonly organizationId: string;
  readonly plan: string;
  readonly key: { readonly name: string; readonly scope: string };
  readonly credits: { readonly allowance: number; readonly resetsAt: string };
  readonly api: { readonly used: number; readonly limit: number; readonly perMinute: number };
}

export interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

export interface CallOptions {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  /** The body as it is sent. If it is absent, the input is sent as JSON. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

/** Sends requests to a mock and parses the answers. */
export class Caller {
  readonly #server: Pick<ServedMock, 'baseUrl' | 'fetch'>;
  readonly key: string;

  constructor(server: Pick<ServedMock, 'baseUrl' | 'fetch'>, key = 'demo-write-key') {
    this.#server = server;
    this.key = key;
  }

  as(key: string): Caller {
    return new Caller(this.#server, key);
  }

  async send(path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const { key = this.key, headers = {}, raw } = options;
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await this.#server.fetch(`${this.#server.baseUrl}${path}`, {
      method: options.method ?? (sent === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key !== '' && { Authorization: `Bearer ${key}` }),
        ...(sent !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: JSON.parse(text === '' ? '{}' : text) as Body,
      headers: response.headers,
    };
  }

  me(options?: CallOptions): Promise<Answer> {
    return this.send('/me', undefined, options);
  }

  read(input: object, options?: CallOptions): Promise<Answer> {
    return this.send('/chat/read', input, options);
  }

  studio(input: object, options?: CallOptions): Promise<Answer> {
    return this.send('/studio/read', input, options);
  }

  change(operationId: string, change: object, options?: CallOptions): Promise<Answer> {
    return this.send('/chat/changes', { operationId, change }, options);
  }

  /** A change under a new operationId. */
  apply(change: object): Promise<Answer> {
    return this.change(crypto.randomUUID(), change);
  }

  /** The newest record of a resource. */
  async first(resource: string, key?: string): Promise<Item> {
    const { body } = await this.read(
      { resource, ...(resource !== 'accounts' && resource !== 'conversations' && { limit: 1 }) },
      { key },
    );
    const [record] = body.records;
    if (record === undefined) throw new Error(`No ${resource} found.`);
    return record;
  }

  keywords(siteId: string, input: object, options?: CallOptions): Promise<Answer> {
    return this.send(`/sites/${siteId}/keywords`, input, options);
  }
}

/** The revision and label of a record, which a change of it must name. */
export const createGuard = (record: { revision: string; label: string }) => ({
  expectedRevision: record.revision,
  expectedLabel: record.label,
});
