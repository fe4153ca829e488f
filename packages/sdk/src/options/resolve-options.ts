import { createInvalidOptionsError as invalid } from '../errors/refused.ts';
import { environmentLoggers, type Logger } from '../events/log-events.ts';
import { requestsPerMinute } from '../generated/limits.ts';
import type { ServerCodes } from '../generated/resolve-codes.ts';
import { resolveServer, type ServerDescription } from '../generated/server-description.ts';
import type { RetryOptions } from '../retry/retry-delay.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { resolveHeaders } from './request-headers.ts';

/** The options of a call after defaults. */
export interface ResolvedCallOptions extends RetryOptions {
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  /** Infinity if nothing is paced. */
  readonly perMinute: number;
  readonly maxResponseBytes: number;
  /** Whether the deadline covers the wait for a slot of the pacing: the caller gave a timeoutMs. */
  readonly coversPacing: boolean;
}

export const retryDefaults: RetryOptions = { maxAttempts: 4, baseDelayMs: 250, maxDelayMs: 8_000 };

const numericDefaults = {
  timeoutMs: 60_000,
  attemptTimeoutMs: 20_000,
  ...retryDefaults,
  perMinute: requestsPerMinute,
  maxResponseBytes: 32 * 1024 * 1024,
};
const numericOptions = Object.keys(numericDefaults) as (keyof typeof numericDefaults)[];

/** The call options of a client without options. */
export const defaults: ResolvedCallOptions = { ...numericDefaults, coversPacing: false };

/** Returns the names of all options. The compiler asks for each, and refuses others. */
export const listOptions = <Options extends object>(
  names: {
    readonly [Name in keyof Options]-?: true;
  },
): readonly string[] => Object.keys(names);

/** The options of a client that a call can override. */
export const requestOptions: { readonly [Name in keyof CallOptions & keyof ClientOptions]: true } = {
  language: true,
  headers: true,
  timeoutMs: true,
  attemptTimeoutMs: true,
  retry: true,
};

/** The headers of a call, as far as they differ from those of the client. */
export function resolveCallHeaders(options: CallOptions): Record<string, string | null> | undefined {
  const { headers, language } = options;
  if (headers === undefined && language === undefined) return undefined;
  return {
    ...resolveHeaders(headers),
    ...(language !== undefined && { 'accept-language': resolveLanguage({ language }) }),
  };
}

/** Returns the call options of a client with the given ones in place of its own. */
export function resolveCallOptions(
  own: ResolvedCallOptions,
  given: CallOptions & Pick<ClientOptions, 'pacing' | 'maxResponseBytes'>,
): ResolvedCallOptions {
  const { retry, pacing } = given;
  const flat: Readonly<Record<string, unknown>> = {
    ...given,
    ...(retry === false ? { maxAttempts: 1 } : retry),
    ...(pacing === false ? { perMinute: Infinity } : pacing),
  };
  const resolved: { -readonly [Name in keyof ResolvedCallOptions]: ResolvedCallOptions[Name] } = { ...own };
  for (const name of numericOptions) {
    const value = flat[name] ?? own[name];
    if (typeof value !== 'number' || !(value >= 1)) {
      throw invalid(`${name} must be a number, 1 or greater; got ${String(value)}.`);
    }
    resolved[name] = value;
  }
  resolved.coversPacing ||= (given.timeoutMs ?? undefined) !== undefined;
  return resolved;
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

/** Returns what logs the events of a client; undefined if nothing is logged. */
export function resolveLogger({ logger }: ClientOptions): Logger | undefined {
  if (logger) return logger;
  const level = readEnvironment('ORGCHAT_LOG');
  return level === 'info' || level === 'debug' ? environmentLoggers[level] : undefined;
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

/** Returns the description of the server. Throws `INVALID_OPTIONS` if the option `server` cannot be used. */
export function resolveServerOption(options: ClientOptions): {
  server: ServerDescription;
  codes: ServerCodes;
} {
  const { server, codes, problem } = resolveServer(options.server);
  if (server === undefined) throw invalid(problem);
  return { server, codes };
}
