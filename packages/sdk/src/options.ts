import { createInvalidOptionsError as invalid } from './errors/refused.ts';
import type { ClientEvent } from './events.ts';
import { requestsPerMinute } from './generated/limits.ts';
import { type CodesOption, resolveCodes, type ServerCodes } from './generated/resolve-codes.ts';
import type { Journal } from './journal/journal.ts';
import type { Logger } from './pipeline/log-events.ts';
import { type HeadersOption, resolveHeaders } from './pipeline/request-headers.ts';
import type { RetryOptions } from './pipeline/retry-delay.ts';

/** Options of `createClient`. */
export interface ClientOptions {
  /** The organization's API key. Default: the environment variable `ORGCHAT_API_KEY`. Never for browser code. */
  readonly apiKey?: string | undefined;
  /** The service up to and including `/api/v1`. Default: the environment variable `ORGCHAT_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** The language of the server's error messages, and of nothing else. Default `en`. */
  readonly language?: 'en' | 'ja' | undefined;
  /** Headers of every request, such as `traceparent` or a `User-Agent` of your own. */
  readonly headers?: HeadersOption | undefined;
  /**
   * One deadline for a whole call, in milliseconds: attempts, waits and bodies. Default 60,000, not counting the wait
   * for a slot of the pacing. A `timeoutMs` that you pass always counts it, even 60,000.
   */
  readonly timeoutMs?: number | undefined;
  /** How long one attempt may take before the next. Default 20,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Default `{ maxAttempts: 4, baseDelayMs: 250, maxDelayMs: 8_000 }`; false sends every request once. */
  readonly retry?: false | Partial<RetryOptions> | undefined;
  /** Requests per minute, shared by all clients of this process with the same base URL and key. Default 60. */
  readonly pacing?: false | { readonly perMinute?: number | undefined } | undefined;
  /**
   * The error codes of the server, by meaning. A code set for a meaning replaces its default. A code counts only with a
   * status of its meaning. The README lists meanings, statuses and default codes (DECISIONS.md, D76).
   *
   * @example
   * createClient({ codes: { staleRevision: 'VERSION_CHANGED', uncertain: ['PENDING', 'IN_DOUBT'] } });
   */
  readonly codes?: CodesOption | undefined;
  /**
   * The most bytes of an answer that are read, after decompression. Default 33,554,432 (32 MiB). A larger answer ends
   * the call with `RESPONSE_TOO_LARGE`, a write with an unknown outcome.
   */
  readonly maxResponseBytes?: number | undefined;
  /** Where writes are recorded before they are sent. Default: `memoryJournal()`. */
  readonly journal?: Journal | undefined;
  /**
   * Who answers a change that is applied already, by its intent or operation id. `server` (default): a request asks for
   * the stored answer. `local`: the journal, without a request, if a call with `local` stored the answer; otherwise the
   * server. The answers are stored with the entries.
   */
  readonly replay?: 'server' | 'local' | undefined;
  /**
   * Replaces the global `fetch`. It is called with one `Request`, which it must send at most once; its `signal` ends
   * the attempt.
   */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /**
   * More options for the global `fetch`, such as `{ dispatcher: new ProxyAgent(url) }` of undici, `{ proxy: url }` of Bun
   * or `{ client }` of Deno. Not together with `fetch`.
   */
  readonly fetchOptions?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Logs calls, without key, headers and bodies: one line per call as `info`, each step as `debug`, and unknown outcomes
   * as `warn`. Default: stderr if the environment variable `ORGCHAT_LOG` is `info` or `debug`, otherwise nothing.
   *
   * @example
   * createClient({ logger: console });
   */
  readonly logger?: Logger | undefined;
  /** Called for every request, attempt, wait and outcome. Errors that it throws or rejects with are ignored. */
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
}

/** Options of every call. They override those of the client. */
export interface CallOptions {
  /** Ends the call at once: in the queue, in a wait, in an attempt or while a body is read. */
  readonly signal?: AbortSignal | undefined;
  /** The deadline of this call, in milliseconds; it covers everything, the wait for a slot of the pacing included. */
  readonly timeoutMs?: number | undefined;
  readonly attemptTimeoutMs?: number | undefined;
  readonly retry?: false | Partial<RetryOptions> | undefined;
  /** Headers of the requests of this call, besides those of the client. One that is undefined is not sent. */
  readonly headers?: HeadersOption | undefined;
  /** The language of the server's error messages for this call. */
  readonly language?: 'en' | 'ja' | undefined;
}

/** A part of an intent, from which an operation id is derived: a value that JSON can represent exactly. */
export type IntentPart =
  | string
  | number
  | boolean
  | null
  | readonly IntentPart[]
  | { readonly [key: string]: IntentPart };

/** Options of every write. Give `operationId` or `intent`, not both. */
export interface WriteOptions extends CallOptions {
  /** The id of the change, a UUID. Default: a random one. */
  readonly operationId?: string | undefined;
  /** What the change is for. The id is derived from it, so a script that runs twice applies the change once. */
  readonly intent?: readonly IntentPart[] | undefined;
  /**
   * A text that says what the change is, such as the command that makes it. The journal entry keeps it. If the journal
   * has an operation with this id and this text, it is this operation: its bytes are sent again, even if the input of
   * this call is different because it was made from what was read in the meantime.
   *
   * @example
   * const entry = await client.operations.get(operationId);
   * const wasSent = entry?.fingerprint === fingerprint;
   */
  readonly fingerprint?: string | undefined;
  /**
   * `local` stores the answer of a change in the journal, and has a later call with `local` answered by it, without a
   * request. Default: as the client has it.
   */
  readonly replay?: 'server' | 'local' | undefined;
}

/** The options of a call after defaults. */
export interface Limits extends RetryOptions {
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  /** Infinity where nothing is paced. */
  readonly perMinute: number;
  readonly maxResponseBytes: number;
  /** Whether the deadline covers the wait for a slot of the pacing: the caller gave a timeoutMs. */
  readonly coversPacing: boolean;
  /** Who answers a change that is applied already. */
  readonly replay: 'server' | 'local';
}

/** The limits of a client without options. */
export const defaults: Limits = {
  timeoutMs: 60_000,
  attemptTimeoutMs: 20_000,
  maxAttempts: 4,
  baseDelayMs: 250,
  maxDelayMs: 8_000,
  perMinute: requestsPerMinute,
  maxResponseBytes: 32 * 1024 * 1024,
  coversPacing: false,
  replay: 'server',
};

type NumericLimit = Exclude<keyof Limits, 'coversPacing' | 'replay'>;
const numericLimits = (Object.keys(defaults) as (keyof Limits)[]).filter(
  (name): name is NumericLimit => typeof defaults[name] === 'number',
);

/** Throws `INVALID_OPTIONS` for an option that does not exist: a misspelled one would silently do nothing. */
export function requireKnown(
  given: object | false | undefined,
  known: readonly string[],
  where: string,
): void {
  const unknown = Object.keys(given || {}).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw invalid(`"${unknown}" is not an option of ${where}. Options: ${known.join(', ')}.`);
  }
}

/** The headers of a call, as far as they differ from those of the client. */
export function resolveCallHeaders(options: CallOptions): Record<string, string | null> | undefined {
  const { headers, language } = options;
  if (headers === undefined && language === undefined) return undefined;
  return {
    ...resolveHeaders(headers),
    ...(language !== undefined && { 'accept-language': resolveLanguage({ language }) }),
  };
}

/** Returns the limits with the given ones in place of the others. */
export function resolveLimits(
  held: Limits,
  given: CallOptions & Pick<ClientOptions, 'pacing' | 'maxResponseBytes' | 'replay'>,
): Limits {
  const { retry, pacing, replay = held.replay } = given;
  const flat: Readonly<Record<string, unknown>> = {
    ...given,
    ...(retry === false ? { maxAttempts: 1 } : retry),
    ...(pacing === false ? { perMinute: Infinity } : pacing),
  };
  const limits: { -readonly [Name in keyof Limits]: Limits[Name] } = { ...held };
  for (const name of numericLimits) {
    const value = flat[name] ?? held[name];
    if (typeof value !== 'number' || !(value >= 1)) {
      throw invalid(`${name} must be a number of 1 or more; got ${String(value)}.`);
    }
    limits[name] = value;
  }
  if (replay !== 'server' && replay !== 'local') {
    throw invalid(`replay must be 'server' or 'local'; got ${String(replay)}.`);
  }
  limits.replay = replay;
  limits.coversPacing ||= (given.timeoutMs ?? undefined) !== undefined;
  return limits;
}

function readEnvironment(variable: string): string | undefined {
  try {
    return globalThis.process?.env?.[variable];
  } catch {
    // The runtime does not allow reading the environment.
    return undefined;
  }
}

/** Returns an option or, if the runtime allows it, an environment variable. Throws if both are missing. */
function resolveSetting(given: string | undefined, name: string, variable: string): string {
  const value = (given ?? readEnvironment(variable))?.trim();
  if (value) return value;
  throw invalid(`${name} is missing. Pass it to createClient() or set ${variable}.`);
}

/** Creates what logs the events of a client; undefined if nothing is logged. Its code is loaded only if it is. */
export function createLogListener({
  logger,
}: ClientOptions): ((event: ClientEvent) => Promise<void>) | undefined {
  const level = readEnvironment('ORGCHAT_LOG');
  if (!logger && level !== 'info' && level !== 'debug') return undefined;
  const loaded = import('./on-demand.ts');
  return async (event) => {
    const { createEnvironmentLogger, logEvent } = await loaded;
    logEvent(logger ?? createEnvironmentLogger(level), event);
  };
}

/** Returns the API key. Throws `INVALID_OPTIONS` if it is missing or cannot be sent in a header. */
export function resolveKey({ apiKey }: ClientOptions): string {
  const key = resolveSetting(apiKey, 'apiKey', 'ORGCHAT_API_KEY');
  // Checked here, because the error of the runtime would contain the key.
  if (!/^[!-~]+$/.test(key)) {
    throw invalid(
      'apiKey contains a space, a line break or another character that is not allowed in an HTTP header. Pass only the key, without "Bearer".',
    );
  }
  return key;
}

/** Returns the base URL without a slash at its end. Throws `INVALID_OPTIONS` if it is missing or not usable. */
export function resolveBaseUrl({ baseUrl }: ClientOptions): string {
  const given = resolveSetting(baseUrl, 'baseUrl', 'ORGCHAT_BASE_URL');
  // A path could not be appended to any other URL.
  if (!/^https?:\/\/[^@?#]+$/.test(given) || !URL.canParse(given)) {
    throw invalid(
      'baseUrl must be an http or https URL without credentials, query or fragment, such as https://example.com/api/v1.',
    );
  }
  const { href } = new URL(given);
  // A regular expression for this takes quadratic time.
  let end = href.length;
  while (href[end - 1] === '/') end--;
  return href.slice(0, end);
}

/** Returns the language of error messages. Throws `INVALID_OPTIONS` for any other than `en` and `ja`. */
export function resolveLanguage({ language = 'en' }: ClientOptions): 'en' | 'ja' {
  if (language !== 'en' && language !== 'ja') {
    throw invalid(`language must be 'en' or 'ja'; got ${String(language)}.`);
  }
  return language;
}

/** Returns the codes of every meaning. Throws `INVALID_OPTIONS` if the option `codes` cannot be used. */
export function resolveServerCodes(options: ClientOptions): ServerCodes {
  const { codes, problem } = resolveCodes(options.codes);
  if (codes === undefined) throw invalid(problem);
  return codes;
}
