import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Mock, RequestMessage } from '@orgchat/mock-server';
import { isFailed, isPending, listReasons, toRequestLine } from '../requests/request-lines.ts';
import { splitSandboxPath } from '../sandbox-path.ts';

/** A request that the mock of this process received over HTTP. */
export interface RecordedRequest {
  readonly message: RequestMessage;
  /** The base URL of the mock or sandbox that received it. */
  readonly baseUrl: string;
  /** The name of the sandbox, or its id; undefined for the mock itself. */
  readonly sandbox: string | undefined;
}

/** Maximum number of requests that a report lists. */
const maxListed = 20;

/**
 * Records what the mock of this process receives, sandboxes included: their logs are gone when they are dropped. A request
 * is recorded when it has ended, one that was still delayed when recording stops.
 */
export class RequestRecorder {
  readonly #mock: Mock;
  readonly #url: string;
  readonly #onEnd: ((request: RecordedRequest) => void) | undefined;
  readonly #open = new Set<RecordedRequest>();
  /** The lines of each failed request. */
  readonly #failed: (readonly string[])[] = [];
  #received = 0;
  #failures = 0;

  constructor(mock: Mock, url: string, onEnd?: (request: RecordedRequest) => void) {
    this.#mock = mock;
    this.#url = url;
    this.#onEnd = onEnd;
    subscribe('orgchat.mock.request', this.#receive);
  }

  readonly #receive = (value: unknown): void => {
    const message = value as RequestMessage;
    const { req } = message.response as typeof message.response & { readonly req: IncomingMessage };
    const { prefix, sandboxId } = splitSandboxPath(req.url ?? '');
    const sandbox = sandboxId && (this.#mock.sandboxes.get(sandboxId)?.name ?? sandboxId);
    const request = { message, baseUrl: `${this.#url}${prefix}/api/v1`, sandbox };
    this.#received++;
    this.#open.add(request);
    message.response.once('close', () => {
      // Its client gave up, and the mock has not decided yet.
      if (!isPending(message.getEntry())) this.#end(request);
    });
  };

  #end(request: RecordedRequest): void {
    this.#open.delete(request);
    this.#onEnd?.(request);
    const entry = request.message.getEntry();
    if (!isFailed(entry)) return;
    const row = { ...entry };
    this.#failures++;
    const where = request.sandbox === undefined ? '' : `  in sandbox ${JSON.stringify(request.sandbox)}`;
    this.#failed.push([
      `${toRequestLine(row)}${where}`,
      ...listReasons(row).map((reason) => `    ${reason}`),
    ]);
    if (this.#failed.length > maxListed) this.#failed.shift();
  }

  /** Stops recording, when the mock is closed and has decided every request. */
  stop(): void {
    unsubscribe('orgchat.mock.request', this.#receive);
    for (const request of [...this.#open]) this.#end(request);
  }

  /** What the mock received, and the newest requests that failed, with why, in lines. */
  report(): string[] {
    if (this.#received === 0)
      return ['The mock received no request. The command must send them to ORGCHAT_BASE_URL.'];
    const received = `The mock received ${count(this.#received, 'request')}.`;
    if (this.#failures === 0) return [`${received} It refused none.`];
    const listed = this.#failures > maxListed ? ` The newest ${maxListed}:` : '';
    return [`${received} Refused, or without an answer: ${this.#failures}.${listed}`, ...this.#failed.flat()];
  }
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
