import { OrgChatError } from './errors/index.ts';
import type { ClientEvent } from './events.ts';
import { type CodesOption, resolveCodes, type ServerCodes } from './generated/resolve-codes.ts';
import type { Journal } from './journal/journal.ts';
import type { RetryOptions } from './retry.ts';

export interface ClientOptions {
  /** The organization's API key. Default: the environment variable `ORGCHAT_API_KEY`. Never for browser code. */
  readonly apiKey?: string | undefined;
  /** The service up to and including `/api/v1`. Default: the environment variable `ORGCHAT_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** The language of the server's error messages, and of nothing else. Default `en`. */
  readonly language?: 'en' | 'ja' | undefined;
  /**
   * One deadline for a whole call, in milliseconds: attempts, waits and bodies. Default 60,000, which does not count the
   * wait for a slot of the pacing; a value that is given covers that too.
   */
  readonly timeoutMs?: number | undefined;
  /** How long one attempt may take before the next. Default 20,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Default `{ maxAttempts: 4, baseDelayMs: 250, maxDelayMs: 8_000 }`; false sends every request once. */
  readonly retry?: false | Partial<RetryOptions> | undefined;
  /** Requests per minute, shared by all clients of this process with the same base URL and key. Default 60. */
  readonly pacing?: false | { readonly perMinute?: number | undefined } | undefined;
  /**
   * The error codes of the server, by meaning; what is given for a meaning replaces its default code. A code counts
   * only with a status of its meaning. The README lists meanings, statuses and default codes (DECISIONS.md, D76).
   *
   * @example
   * createClient({ codes: { staleRevision: 'VERSION_CHANGED', uncertain: ['PENDING', 'IN_DOUBT'] } });
   */
  readonly codes?: CodesOption | undefined;
  /**
   * The most bytes of an answer that are read, after decompression. Default 33,554,432 (32 MiB). A larger answer ends the
   * call with `RESPONSE_TOO_LARGE`, a write with an unknown outcome.
   */
  readonly maxResponseBytes?: number | undefined;
  /** Where writes are recorded before they are sent. Default: `memoryJournal()`. */
  readonly journal?: Journal | undefined;
  /**
   * Takes the place of the global `fetch`, called with a `Request` alone, which it sends at most once; its `signal` ends
   * the attempt.
   */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Hears of every request, attempt, wait and outcome. What it throws or rejects with is ignored. */
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
}

/** Options every call takes; they go before those of the client. */
export interface CallOptions {
  /** Ends the call at once, wherever it is: in the queue, in a wait, in an attempt, in a body. */
  readonly signal?: AbortSignal | undefined;
  /** The deadline of this call, in milliseconds; it covers everything, the wait for a slot of the pacing included. */
  readonly timeoutMs?: number | undefined;
  readonly attemptTimeoutMs?: number | undefined;
  readonly retry?: false | Partial<RetryOptions> | undefined;
}

/** What an operation id can be derived from: what JSON can tell apart, so numbers are finite and objects plain. */
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
export interface Limits extends RetryOptions {
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  /** Infinity where nothing is paced. */
  readonly perMinute: number;
  readonly maxResponseBytes: number;
  /** Whether the deadline covers the wait for a slot of the pacing: the caller gave a timeoutMs. */
  readonly coversPacing: boolean;
}

export const defaults: Limits = {
  timeoutMs: 60_000,
  attemptTimeoutMs: 20_000,
  maxAttempts: 4,
  baseDelayMs: 250,
  maxDelayMs: 8_000,
  perMinute: 60,
  maxResponseBytes: 32 * 1024 * 1024,
  coversPacing: false,
};

type NumericLimit = Exclude<keyof Limits, 'coversPacing'>;
const numericLimits: readonly NumericLimit[] = [
  'timeoutMs',
  'attemptTimeoutMs',
  'maxAttempts',
  'baseDelayMs',
  'maxDelayMs',
  'perMinute',
  'maxResponseBytes',
];

function invalid(message: string): OrgChatError {
  return new OrgChatError(message, { code: 'INVALID_OPTIONS' });
}

/** The limits that hold with those that are given in their place. */
export function limitsOf(
  held: Limits,
  given: CallOptions & Pick<ClientOptions, 'pacing' | 'maxResponseBytes'>,
): Limits {
  const { retry, pacing } = given;
  const flat: Readonly<Record<string, unknown>> = {
    ...given,
    ...(retry === false ? { maxAttempts: 1 } : retry),
    ...(pacing === false ? { perMinute: Infinity } : pacing),
  };
  const limits: { -readonly [Name in keyof Limits]: Limits[Name] } = { ...held };
  for (const name of numericLimits) {
    const value = flat[name] ?? held[name];
    if (typeof value !== 'number' || !(value >= 1)) {
      throw invalid(`${name} must be a number of 1 or more; it was ${String(value)}.`);
    }
    limits[name] = value;
  }
  limits.coversPacing ||= (given.timeoutMs ?? undefined) !== undefined;
  return limits;
}

/** An option, or an environment variable, where there is an environment and it may be read. */
function resolve(given: string | undefined, name: string, variable: string): string {
  let value = given;
  try {
    value ??= globalThis.process?.env?.[variable];
  } catch {
    // A runtime that does not let it be read has none.
  }
  value = value?.trim();
  if (value) return value;
  throw invalid(`pass ${name} or set ${variable}`);
}

export function resolveKey({ apiKey }: ClientOptions): string {
  const key = resolve(apiKey, 'apiKey', 'ORGCHAT_API_KEY');
  // Said here because the runtime's own complaint about such a header would contain the key.
  if (!/^[!-~]+$/.test(key)) throw invalid('apiKey cannot be sent');
  return key;
}

export function resolveBaseUrl({ baseUrl }: ClientOptions): string {
  const given = resolve(baseUrl, 'baseUrl', 'ORGCHAT_BASE_URL');
  // A URL with anything else has no place for a path to be added.
  if (!/^https?:\/\/[^@?#]+$/.test(given) || !URL.canParse(given)) {
    throw invalid('baseUrl must be http(s) without user or query');
  }
  const { href } = new URL(given);
  // A regular expression for this takes quadratic time.
  let end = href.length;
  while (href[end - 1] === '/') end--;
  return href.slice(0, end);
}

export function resolveLanguage({ language = 'en' }: ClientOptions): 'en' | 'ja' {
  if (language !== 'en' && language !== 'ja') throw invalid('language must be en or ja');
  return language;
}

export function resolveServerCodes(options: ClientOptions): ServerCodes {
  const { codes, problem } = resolveCodes(options.codes);
  if (codes === undefined) throw invalid(problem);
  return codes;
}
