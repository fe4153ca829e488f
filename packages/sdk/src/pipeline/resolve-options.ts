import { createInvalidOptionsError as invalid } from '../errors/refused.ts';
import type { ClientEvent } from '../events.ts';
import { requestsPerMinute } from '../generated/limits.ts';
import { resolveCodes, type ServerCodes } from '../generated/resolve-codes.ts';
import type { CallOptions, ClientOptions } from '../options.ts';
import { resolveHeaders } from './request-headers.ts';
import type { RetryOptions } from './retry-delay.ts';
import { describeType } from './values.ts';

/** The options of a call after defaults. */
export interface Limits extends RetryOptions {
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  /** Infinity if nothing is paced. */
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
  if (given && typeof given !== 'object') {
    throw invalid(`${where} requires its options as an object; got ${describeType(given)}.`);
  }
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
      throw invalid(`${name} must be a number, 1 or greater; got ${String(value)}.`);
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
  const loaded = import('../on-demand.ts');
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
