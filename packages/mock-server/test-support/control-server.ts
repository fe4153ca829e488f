import { afterEach, beforeEach } from 'vitest';
import { createMock, type Listening } from '../src/index.ts';
import { Caller } from './caller.ts';

interface ControlAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

interface Server {
  readonly server: Pick<Listening, 'url' | 'baseUrl' | 'controlUrl'>;
  /** Calls the API. */
  readonly caller: Caller;
  /** Calls the control API. */
  readonly control: (method: string, path: string, body?: unknown) => Promise<ControlAnswer>;
}

/** A server with a new mock for each test of a file. */
export function useServer(): Server {
  let listening: Listening;
  beforeEach(async () => {
    listening = await createMock({ rateLimit: 'off' }).listen({ port: 0 });
  });
  afterEach(() => listening.close());

  // Getters, because each test has another server.
  const server = {
    fetch,
    get url() {
      return listening.url;
    },
    get baseUrl() {
      return listening.baseUrl;
    },
    get controlUrl() {
      return listening.controlUrl;
    },
  };
  return {
    server,
    caller: new Caller(server),
    control: async (method, path, body) => {
      const response = await fetch(`${listening.controlUrl}${path}`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}
