import { createInvalidOptionsError as invalid, requireKnown } from '../errors/refused.ts';
import type { Logger } from '../events/log-events.ts';
import type { Journal } from '../journal/journal.ts';
import type { PacingOptions, SharedPacing } from '../timing/shared-pacing.ts';
import { describeType, isObject } from '../values.ts';
import type { ChangeOptions, ClientOptions } from './options.ts';
import { listOptions, requestOptions, retryDefaults } from './resolve-options.ts';

/* Checks of options that JavaScript lets through: names that do not exist, and values of another type. */

const callOptionNames = listOptions<ChangeOptions>({
  signal: true,
  ...requestOptions,
  operationId: true,
  intent: true,
  fingerprint: true,
  waitForOther: true,
  acceptKnownIntent: true,
});
const clientOptionNames = listOptions<ClientOptions>({
  apiKey: true,
  baseUrl: true,
  ...requestOptions,
  pacing: true,
  server: true,
  maxResponseBytes: true,
  journal: true,
  fetch: true,
  fetchOptions: true,
  logger: true,
  onEvent: true,
});
const retryNames = Object.keys(retryDefaults);
const pacingNames = listOptions<PacingOptions>({ perMinute: true, shared: true, onStoreDown: true });
/** Options that are functions, and methods of those that are objects. */
const functionPaths = [
  'fetch',
  'onEvent',
  'journal.add',
  'journal.claim',
  'journal.get',
  'journal.list',
  'journal.settle',
  'journal.remove',
  'logger.debug',
  'logger.info',
  'logger.warn',
  'pacing.shared.reserve',
  'pacing.shared.release',
] as const satisfies readonly (
  | 'fetch'
  | 'onEvent'
  | `journal.${keyof Journal}`
  | `logger.${keyof Logger}`
  | `pacing.shared.${keyof SharedPacing}`
)[];
const fetchOptionsOfSdk = ['method', 'headers', 'body', 'signal', 'redirect'];

/** Throws `INVALID_OPTIONS` if an option that was given is not a function, or lacks a method. */
function requireFunctions(options: Readonly<Record<string, unknown>>): void {
  for (const path of functionPaths) {
    let owner: unknown = 0;
    let value: unknown = options;
    for (const name of path.split('.')) [owner, value] = [value, Object(value)[name]];
    // An option that is a function itself may be missing.
    if ((owner === options ? value : owner) != null && typeof value !== 'function') {
      throw invalid(`${path} must be a function; got ${describeType(value)}.`);
    }
  }
}

export function requireClientOptions(options: ClientOptions): void {
  const given: unknown = options;
  if (!isObject(given))
    throw invalid(`createClient() requires an object with options; got ${describeType(given)}.`);
  requireKnown(options, clientOptionNames, 'createClient()');
  requireKnown(options.retry, retryNames, 'retry');
  requireKnown(options.pacing, pacingNames, 'pacing');
  const { onStoreDown = 'fail' } = options.pacing || {};
  if (onStoreDown !== 'fail' && !(Number(Object(onStoreDown).perMinute) >= 1))
    throw invalid("pacing.onStoreDown must be 'fail' or { perMinute } with a number, 1 or greater.");
  requireFunctions({ ...options });
  const { fetch, fetchOptions } = options;
  if (fetch && fetchOptions)
    throw invalid('fetch and fetchOptions cannot be combined. Use the options in your fetch.');
  const taken = fetchOptionsOfSdk.find((name) => name in { ...fetchOptions });
  if (taken) throw invalid(`fetchOptions must not contain "${taken}": the SDK sets it.`);
}

export function requireCallOptions(options: ChangeOptions): void {
  requireKnown(options, callOptionNames, 'a call');
  requireKnown(options.retry, retryNames, 'retry');
  const { fingerprint } = options;
  for (const name of ['acceptKnownIntent', 'waitForOther'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'boolean')
      throw invalid(`${name} must be true or false; got ${describeType(value)}.`);
  }
  if (fingerprint !== undefined && (typeof fingerprint !== 'string' || !fingerprint))
    throw invalid(`fingerprint must be a non-empty string; got ${describeType(fingerprint)}.`);
}
