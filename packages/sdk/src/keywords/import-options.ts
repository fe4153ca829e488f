import { requireRunOptions } from '../bulk/bulk.ts';
import type { ClientContext } from '../client-context.ts';
import { createInvalidInputError, requireKnown } from '../errors/refused.ts';
import { keywordGroupLength } from '../generated/limits.ts';
import type { MaybePromise } from '../journal/journal.ts';
import { requireCallOptions } from '../options/option-checks.ts';
import type { CallOptions, IntentPart } from '../options/options.ts';
import {
  listOptions,
  requestOptions,
  resolveCallHeaders,
  resolveCallOptions,
} from '../options/resolve-options.ts';
import { describeType } from '../values.ts';
import { copyIntent } from '../write/input.ts';
import { normalizeGroup } from './journal-requests.ts';
import { countCharacters, type InvalidKeyword, isUnicode } from './keyword-list.ts';
import type { KeywordRequest } from './keyword-requests.ts';

/**
 * Where an import stores its requests, so that a later one continues it: a file, an object store, a row. Each site and group
 * needs its own.
 */
export interface KeywordImportCheckpoint {
  /**
   * Returns what `write` was given last; undefined if there is nothing.
   *
   * @example
   * const read = async () => JSON.parse(await readFile('import.json', 'utf8').catch(() => 'null')) ?? undefined;
   * await client.keywords.import('demo-site', words, { checkpoint: { read, write: () => undefined } });
   */
  read(): MaybePromise<readonly KeywordRequest[] | undefined>;
  /**
   * Stores the requests as JSON, before and after each request. The next one is not sent before it resolves. If it
   * throws, the import ends with its error.
   *
   * @example
   * const write = (requests: readonly KeywordRequest[]) => console.log(JSON.stringify(requests));
   * await client.keywords.import('demo-site', words, { checkpoint: { read: () => undefined, write } });
   */
  write(requests: readonly KeywordRequest[]): MaybePromise<void>;
}

/**
 * What a run of an import may change.
 *
 * @example
 * const patient: KeywordImportRunOptions = { continueAfterUnknown: true };
 * const { resume } = await client.keywords.import('demo-site', words);
 * await resume(patient);
 */
export interface KeywordImportRunOptions {
  /**
   * Signal that stops the import: waits end, and no further request is sent. A request in progress is finished, and its
   * outcome counts.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called before the first request and after each. Errors that it throws are ignored. */
  readonly onProgress?: ((progress: KeywordImportProgress) => void) | undefined;
  /**
   * Sends keywords with an unknown outcome again. Pass it after you checked the site, or if it is enough that the site
   * has the keywords: it skips those that it has. Default false.
   */
  readonly retryUnknown?: boolean | undefined;
  /** Sends the next request also after one whose outcome is unknown. Default false: the import ends there. */
  readonly continueAfterUnknown?: boolean | undefined;
}

/**
 * Options of `keywords.import()`. Deadline, retries and headers are those of each request.
 *
 * @example
 * const options: KeywordImportOptions = { group: 'season', skipInvalid: true, intent: ['nightly', '2026-05-04'] };
 * await client.keywords.import('demo-site', words, options);
 */
export interface KeywordImportOptions extends Omit<CallOptions, 'signal'>, KeywordImportRunOptions {
  /**
   * The group of the keywords that are added, up to 30 characters. A keyword that the site has keeps its group.
   */
  readonly group?: string | undefined;
  /**
   * Leaves out keywords that the API would refuse or that contain control characters, and lists them in `invalid`.
   * Default false: nothing is sent.
   */
  readonly skipInvalid?: boolean | undefined;
  /**
   * What the import is for. A later import of the same list in the same order, also by another process with this
   * journal, takes the outcome of each request from the journal instead of sending it again.
   */
  readonly intent?: readonly IntentPart[] | undefined;
  /** A store of your own instead of an intent: it also knows changed lists, and outlives the journal. */
  readonly checkpoint?: KeywordImportCheckpoint | undefined;
}

/** How far an import is, as numbers of keywords. */
export interface KeywordImportProgress {
  /** Number of distinct keywords: the sum of the five counts below. */
  readonly total: number;
  readonly added: number;
  readonly skipped: number;
  readonly unknown: number;
  readonly refused: number;
  readonly notSent: number;
  /** The requests of this run. */
  readonly requests: { readonly done: number; readonly total: number };
  /** The first keyword of the next request of this run, to show where it is; undefined after the last. */
  readonly next: string | undefined;
  /** An estimate from the pacing and the time that requests take, in milliseconds. */
  readonly remainingMs: number;
}

/** The result of an import: each keyword of the list is in exactly one of the five lists. */
export interface KeywordImportResult {
  /** Keywords that the import added. With an intent or a checkpoint, those of earlier runs are among them. */
  readonly added: readonly string[];
  /** Keywords that the site had before: the server named them as duplicates. */
  readonly skipped: readonly string[];
  /** Keywords that may have been added: no answer arrived, or it does not name them. They are not sent again unless `retryUnknown` is set. */
  readonly unknown: readonly string[];
  /** Keywords of a request that the server refused, so that it added none of them. */
  readonly refused: readonly string[];
  /** Keywords that were not sent, because the import ended before. */
  readonly notSent: readonly string[];
  /** How many keywords of the input were left out because an equal one came before. */
  readonly duplicates: number;
  /** What was left out by `skipInvalid`. */
  readonly invalid: readonly InvalidKeyword[];
  /** The requests behind this result. Those that are `unknown` have the ids for `client.operations.forget()`. */
  readonly requests: readonly KeywordRequest[];
  /** The last error of this run: of a request, the abort, or what the checkpoint threw. Undefined if nothing failed. */
  readonly error: unknown;
  /**
   * Sends what is `refused` or `notSent`, and with `retryUnknown` what is `unknown`. First it looks in the journal for
   * outcomes that became known, and for requests that `operations.forget()` removed. Options that are not given stay,
   * except `signal`. During a run, it returns the promise of that run.
   *
   * @example
   * const first = await client.keywords.import('demo-site', words);
   * const { notSent } = first.notSent.length > 0 ? await first.resume() : first;
   * console.log(notSent);
   */
  resume(options?: KeywordImportRunOptions): Promise<KeywordImportResult>;
}

const runOptions = {
  signal: true,
  onProgress: true,
  retryUnknown: true,
  continueAfterUnknown: true,
} as const;
const runOptionNames = listOptions<KeywordImportRunOptions>(runOptions);
const importOptionNames = listOptions<KeywordImportOptions>({
  group: true,
  intent: true,
  checkpoint: true,
  skipInvalid: true,
  ...runOptions,
  ...requestOptions,
});

function requireBooleans(options: object, names: readonly string[]): void {
  for (const name of names) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (value === undefined || typeof value === 'boolean') continue;
    throw createInvalidInputError(`${name} must be true or false; got ${describeType(value)}.`);
  }
}

/** Throws unless `resume()` can use these options. */
export function requireResumeOptions(options: KeywordImportRunOptions): void {
  requireKnown(options, runOptionNames, 'resume()');
  requireRunOptions(options);
  requireBooleans(options, ['retryUnknown', 'continueAfterUnknown']);
}

function requireGroup(group: unknown): string | undefined {
  if (group === undefined) return undefined;
  if (typeof group !== 'string') {
    throw createInvalidInputError(`group must be a string; got ${describeType(group)}.`);
  }
  if (countCharacters(group.trim()) > keywordGroupLength) {
    throw createInvalidInputError(`group must have at most ${keywordGroupLength} characters.`);
  }
  if (!isUnicode(group)) throw createInvalidInputError('group must be valid Unicode.');
  return normalizeGroup(group);
}

/** The options of an import after checks. */
export interface ImportSettings {
  readonly group: string | undefined;
  readonly intent: readonly IntentPart[] | undefined;
  readonly checkpoint: KeywordImportCheckpoint | undefined;
  readonly skipInvalid: boolean;
  /** The options of each request. */
  readonly call: CallOptions;
}

/** Checks the options of an import. Throws before anything is read or sent. */
export function resolveImportOptions(client: ClientContext, options: KeywordImportOptions): ImportSettings {
  requireKnown(options, importOptionNames, 'keywords.import()');
  requireRunOptions(options);
  requireBooleans(options, ['skipInvalid', 'retryUnknown', 'continueAfterUnknown']);
  const { intent, checkpoint, skipInvalid = false } = options;
  const { read, write } = Object(checkpoint) as Partial<KeywordImportCheckpoint>;
  if (checkpoint !== undefined && (typeof read !== 'function' || typeof write !== 'function')) {
    throw createInvalidInputError('checkpoint must have the methods read and write.');
  }
  if (intent && checkpoint) throw createInvalidInputError('Pass either intent or checkpoint, not both.');
  const { timeoutMs, attemptTimeoutMs, retry, headers, language } = options;
  const call = { timeoutMs, attemptTimeoutMs, retry, headers, language };
  // These throw if a call cannot use them.
  requireCallOptions(call);
  resolveCallOptions(client.callOptions, call);
  resolveCallHeaders(call);
  return {
    group: requireGroup(options.group),
    intent: copyIntent(intent),
    checkpoint,
    skipInvalid,
    call,
  };
}
