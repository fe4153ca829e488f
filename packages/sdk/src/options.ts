import { OrgChatError } from './errors/index.ts';
import type { ClientEvent } from './events.ts';
import type { Journal } from './journal/journal.ts';
import type { RetryOptions } from './retry.ts';

export interface ClientOptions {
  /** The organization's API key. Default: the environment variable `ORGCHAT_API_KEY`. Never for browser code. */
  readonly apiKey?: string | undefined;
  /** The service up to and including `/api/v1`. Default: the environment variable `ORGCHAT_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** The language of the server's error messages, and of nothing else. */
  readonly language?: 'en' | 'ja' | undefined;
  /** One deadline for a whole call: queue, attempts, waits and bodies. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** How long one attempt may take before the next. Default 20,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Default `{ maxAttempts: 4, baseDelayMs: 250, maxDelayMs: 8_000 }`; false sends every request once. */
  readonly retry?: false | Partial<RetryOptions> | undefined;
  /** Requests a minute, shared by all clients of this process with the same base URL and key. Default 60. */
  readonly pacing?: false | { readonly perMinute?: number | undefined } | undefined;
  /** Where writes are recorded before they are sent. Default: `memoryJournal()`. */
  readonly journal?: Journal | undefined;
  /** Takes the place of the global `fetch`, called with a `Request`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Hears of every request, attempt, wait and outcome. What it throws is ignored. */
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
}

/** Options every call takes; they go before those of the client. */
export interface CallOptions {
  /** Ends the call at once, wherever it is: in the queue, in a wait, in an attempt, in a body. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly attemptTimeoutMs?: number | undefined;
  readonly retry?: false | Partial<RetryOptions> | undefined;
}

/** What an operation id can be derived from. */
export type IntentPart =
  | string
  | number
  | boolean
  | null
  | readonly IntentPart[]
  | { readonly [key: string]: IntentPart };

/** Options of every write. Give `operationId` or `intent`, not both. */
export interface WriteOptions extends CallOptions {
  /** The id of the intended change; a UUID. Made when left out. */
  readonly operationId?: string | undefined;
  /** What the change is for: the id is derived from it, so that a script that runs twice intends once. */
  readonly intent?: readonly IntentPart[] | undefined;
}

/** The options of a call after defaults. */
export interface Limits {
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  readonly retry: RetryOptions;
}

export interface Settings extends Limits {
  readonly baseUrl: string;
  readonly perMinute: number | undefined;
}

const defaults: RetryOptions = { maxAttempts: 4, baseDelayMs: 250, maxDelayMs: 8_000 };
const once: RetryOptions = { ...defaults, maxAttempts: 1 };

function invalid(message: string): OrgChatError {
  return new OrgChatError({ code: 'INVALID_OPTIONS', message });
}

function positive(name: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value !== 'number' || !(value > 0)) throw invalid(`${name} must be a number above 0`);
  return value;
}

function retryOptions(retry: ClientOptions['retry'], base: RetryOptions): RetryOptions {
  if (retry === undefined) return base;
  if (retry === false) return once;
  return {
    maxAttempts: positive('retry.maxAttempts', retry.maxAttempts, base.maxAttempts),
    baseDelayMs: positive('retry.baseDelayMs', retry.baseDelayMs, base.baseDelayMs),
    maxDelayMs: positive('retry.maxDelayMs', retry.maxDelayMs, base.maxDelayMs),
  };
}

/** An environment variable, where there is an environment and it may be read. */
function environment(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

export function resolveKey(options: ClientOptions): string {
  const key = (options.apiKey ?? environment('ORGCHAT_API_KEY'))?.trim();
  if (!key) throw invalid('no API key: pass apiKey or set ORGCHAT_API_KEY');
  // Said here because the runtime's own complaint about such a header would contain the key.
  if (!/^[\x21-\x7e]+$/.test(key)) throw invalid('the API key has characters that no header can carry');
  return key;
}

export function resolveSettings(options: ClientOptions): Settings {
  const given = options.baseUrl ?? environment('ORGCHAT_BASE_URL');
  if (!given) throw invalid('no base URL: pass baseUrl or set ORGCHAT_BASE_URL');
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalid('baseUrl must be an http or https URL');
  if (url.username || url.password || url.search || url.hash) {
    throw invalid('baseUrl must not have credentials, a query or a fragment');
  }
  const { pacing, language } = options;
  if (language !== undefined && language !== 'en' && language !== 'ja')
    throw invalid("language must be 'en' or 'ja'");
  return {
    baseUrl: url.href.replace(/\/+$/, ''),
    perMinute: pacing === false ? undefined : Math.ceil(positive('pacing.perMinute', pacing?.perMinute, 60)),
    timeoutMs: positive('timeoutMs', options.timeoutMs, 60_000),
    attemptTimeoutMs: positive('attemptTimeoutMs', options.attemptTimeoutMs, 20_000),
    retry: retryOptions(options.retry, defaults),
  };
}

/** The client's limits with those of one call. */
export function callLimits(settings: Settings, call: CallOptions): Limits {
  return {
    timeoutMs: positive('timeoutMs', call.timeoutMs, settings.timeoutMs),
    attemptTimeoutMs: positive('attemptTimeoutMs', call.attemptTimeoutMs, settings.attemptTimeoutMs),
    retry: retryOptions(call.retry, settings.retry),
  };
}
