import createClient from 'openapi-fetch';
import { createRedactor, type Redactor } from './errors/redact.ts';
import { createEmitter, type Emit } from './events/emitter.ts';
import type { paths } from './generated/openapi.ts';
import { createFindMeaning, type FindMeaning } from './generated/resolve-codes.ts';
import { version } from './generated/version.ts';
import type { Journal } from './journal/journal.ts';
import { memoryJournal } from './journal/memory.ts';
import { requireClientOptions } from './options/option-checks.ts';
import type { ClientOptions } from './options/options.ts';
import { resolveHeaders } from './options/request-headers.ts';
import {
  defaults,
  type ResolvedCallOptions,
  resolveBaseUrl,
  resolveCallOptions,
  resolveKey,
  resolveLanguage,
  resolveLogger,
  resolveServerOption,
} from './options/resolve-options.ts';
import { createResponseShapes, type ResponseShapes } from './shapes/response-shapes.ts';
import { getRateLimiter, type RateLimiter } from './timing/rate-limiter.ts';
import type { PacingOptions } from './timing/shared-pacing.ts';
import { createTarget } from './write/operation-id.ts';
import type { WritesInProgress } from './write/writes-in-progress.ts';

/**
 * The generated paths with request bodies as text: what is sent are the bytes that were frozen when the call was
 * made, so that a later attempt, in this process or the next, sends the same.
 */
type Wire = {
  [P in keyof paths]: {
    [M in keyof paths[P]]: paths[P][M] extends { requestBody: unknown }
      ? Omit<paths[P][M], 'requestBody'> & { requestBody: { content: { 'application/json': string } } }
      : paths[P][M];
  };
};

/**
 * How openapi-fetch sends any of the operations: what it takes is the same for all of them. The answer is read where it
 * arrives, in `fetch`.
 */
export type Transport = (
  method: 'GET' | 'POST',
  path: string,
  init: {
    readonly body: string | ReadableStream | undefined;
    readonly signal: AbortSignal | undefined;
    readonly headers: Readonly<Record<string, string | null>> | undefined;
    readonly fetch: (request: Request) => Promise<Response>;
  },
) => Promise<unknown>;

/** What all calls of a client share. The key is only in closures, so printing this object never shows it. */
export interface ClientContext {
  readonly callOptions: ResolvedCallOptions;
  readonly emit: Emit;
  readonly redactor: Redactor;
  /** Host and port of the base URL, for messages. */
  readonly serverHost: string;
  readonly journal: Journal;
  /** The writes of this client, then those of each client whose `with()` led to it. */
  readonly writes: readonly WritesInProgress[];
  readonly rateLimiter: RateLimiter | undefined;
  /** The option `pacing`: with `shared`, the rate limiter of this process is not used. */
  readonly pacing: PacingOptions;
  /** What a code that came with a status means, by the option `server`. */
  readonly findMeaning: FindMeaning;
  /** How the server frames records, by the option `server`. */
  readonly shapes: ResponseShapes;
  /** Created at the first call: it uses Request and Headers, which some runtimes load only then. */
  readonly transport: () => Transport;
  /** The `fetch` of the caller, if one was given. It gets only a Request, so the signal has to be in it. */
  readonly fetch: ClientOptions['fetch'];
  /** More options for the global `fetch`. */
  readonly fetchOptions: ClientOptions['fetchOptions'];
  /** Returns what journal entries are bound to: the base URL and a digest of the key. */
  readonly target: () => string;
}

/** Creates the context of the same client with another API key. */
export type CreateContext = (apiKey: string) => ClientContext;

/** Creates the context of a client. Throws `INVALID_OPTIONS` if an option cannot be used. */
export function createClientContext(
  options: ClientOptions,
  parentWrites: readonly WritesInProgress[] = [],
): ClientContext {
  requireClientOptions(options);
  const apiKey = resolveKey(options);
  const baseUrl = resolveBaseUrl(options);
  const { server, codes } = resolveServerOption(options);
  const perMinute = server.limits?.perMinute ?? defaults.perMinute;
  const callOptions = resolveCallOptions({ ...defaults, perMinute }, options);
  const language = resolveLanguage(options);
  const headers = { 'user-agent': `orgchat-sdk/${version}`, ...resolveHeaders(options.headers) };
  let transport: Transport | undefined;
  let known: string | undefined;
  const target = (): string => {
    known ??= createTarget(baseUrl, apiKey);
    return known;
  };
  return {
    callOptions,
    findMeaning: createFindMeaning(codes),
    shapes: createResponseShapes(server),
    emit: createEmitter(options.onEvent, resolveLogger(options)),
    redactor: createRedactor(apiKey),
    serverHost: new URL(baseUrl).host,
    journal: options.journal ?? memoryJournal(),
    writes: [{ calls: new Set(), isDraining: false }, ...parentWrites],
    pacing: options.pacing || {},
    rateLimiter: callOptions.perMinute < Infinity ? getRateLimiter(target) : undefined,
    transport() {
      transport ??= createClient<Wire>({
        baseUrl,
        bodySerializer: (frozen) => frozen,
        headers: { authorization: `Bearer ${apiKey}`, 'accept-language': language, ...headers },
        redirect: 'manual',
      }).request as unknown as Transport;
      return transport;
    },
    fetch: options.fetch,
    fetchOptions: options.fetchOptions,
    target,
  };
}
