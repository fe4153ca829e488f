import type { ClientContext } from '../client-context.ts';
import { OutcomeUnknownError } from '../errors/outcome-unknown.ts';
import { createInvalidInputError } from '../errors/refused.ts';
import type { IntentPart } from '../options.ts';
import { describeType } from '../pipeline/values.ts';
import { createTimeLeft } from './bulk-time-left.ts';

/** Options of `client.bulk()`. */
export interface BulkOptions {
  /** How many items are in progress at once. Default 8. The pacing of the client bounds the requests as always. */
  readonly concurrency?: number | undefined;
  /** Starts no further item, and is handed to each item: pass it on to its calls. */
  readonly signal?: AbortSignal | undefined;
  /**
   * What the run is for. The intent of each item is made from it and the index of the item, so the same items in the same
   * order, in this process or a later one, are changed once. Default: a random one, which `resume()` keeps.
   */
  readonly intent?: readonly IntentPart[] | undefined;
  /** Called after each item. Errors that it throws are ignored. */
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
}

/** What each item is run with. */
export interface BulkItemContext {
  /** The place of the item among all items, from 0. */
  readonly index: number;
  /** Pass it to the change of the item: then `resume()` and a repeated run change nothing twice. */
  readonly intent: readonly IntentPart[];
  readonly signal: AbortSignal | undefined;
}

/** How far a bulk run is. */
export interface BulkProgress {
  /** The number of items; undefined while an asynchronous source may have more. */
  readonly total: number | undefined;
  /** Items that are done; `failed` and `unknown` are not among them. */
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
  /** An estimate from the pacing and the time that items take, in milliseconds; undefined if `total` is. */
  readonly remainingMs: number | undefined;
}

/** The result of one item. */
export type BulkResult<T, R> =
  | {
      readonly item: T;
      readonly status: 'done';
      /** What the item's function returned; undefined if `resume()` found the change applied without running it. */
      readonly value?: R;
      readonly error?: undefined;
    }
  | { readonly item: T; readonly status: 'failed'; readonly value?: undefined; readonly error: unknown }
  | {
      readonly item: T;
      readonly status: 'unknown';
      readonly value?: undefined;
      readonly error: OutcomeUnknownError;
    }
  /** Not started, because the signal aborted the run. */
  | { readonly item: T; readonly status: 'skipped'; readonly value?: undefined; readonly error?: undefined };

export interface BulkOutcome<T, R> {
  /** One result per item, in the order of the items. */
  readonly results: readonly BulkResult<T, R>[];
  /**
   * Runs every item again that is not done, with the same intents, and keeps the other results. An item whose outcome is
   * unknown and that did not take its intent is asked about instead: a second change could double it.
   */
  resume(options?: Pick<BulkOptions, 'signal' | 'onProgress'>): Promise<BulkOutcome<T, R>>;
}

type RunItem<T, R> = (item: T, context: BulkItemContext) => R | PromiseLike<R>;

const defaultConcurrency = 8;
const maxConcurrency = 1_000;

/** An item and its result so far. */
interface BulkItem<T, R> {
  readonly index: number;
  result: BulkResult<T, R>;
  /** Whether its function took the intent, so that it can run again without a double. */
  tookIntent: boolean;
}

type RunOptions = Pick<BulkOptions, 'signal' | 'onProgress'>;

/**
 * Runs a function for each item, several at a time. Rejects only if an argument is wrong or if the source of items
 * fails, after the items in progress have ended.
 */
export async function runBulk<T, R>(
  client: Pick<ClientContext, 'rateLimiter' | 'limits'>,
  items: Iterable<T> | AsyncIterable<T>,
  run: RunItem<T, R>,
  options: BulkOptions = {},
): Promise<BulkOutcome<T, R>> {
  const { concurrency = defaultConcurrency, intent = ['bulk', crypto.randomUUID()] } = options;
  requireConcurrency(concurrency);
  if (typeof run !== 'function')
    throw createInvalidInputError(`bulk() requires a function; got ${typeof run}.`);
  const read = openItems(items);
  const known: BulkItem<T, R>[] = [];
  const counts = { done: 0, failed: 0, unknown: 0, skipped: 0 };

  function add(item: T): BulkItem<T, R> {
    const added: BulkItem<T, R> = {
      index: known.length,
      result: { item, status: 'skipped' },
      tookIntent: false,
    };
    known.push(added);
    counts.skipped++;
    return added;
  }

  async function runAll({ signal, onProgress }: RunOptions): Promise<void> {
    const timeLeft = createTimeLeft(client, concurrency);
    const waiting = known.filter(({ result }) => result.status !== 'done');

    function report(): void {
      const total = read.isEnded() ? known.length : undefined;
      const remainingMs = total === undefined ? undefined : timeLeft.estimate(waiting.length);
      const { done, failed, unknown } = counts;
      try {
        onProgress?.({ total, done, failed, unknown, remainingMs });
      } catch {
        // Who cannot show the progress still gets the results.
      }
    }

    async function work(): Promise<void> {
      while (!signal?.aborted) {
        const next = waiting.shift();
        const item = next ?? (await read.next(add));
        if (item === undefined) return;
        const end = timeLeft.begin();
        const result = await runItem(item, run, intent, signal);
        end();
        counts[item.result.status]--;
        counts[result.status]++;
        item.result = result;
        report();
      }
    }

    const ends = await Promise.allSettled(Array.from({ length: concurrency }, work));
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure) throw failure.reason;
  }

  const toOutcome = (): BulkOutcome<T, R> => ({
    results: known.map(({ result }) => result),
    async resume({ signal, onProgress = options.onProgress } = {}) {
      await runAll({ signal, onProgress });
      return toOutcome();
    },
  });
  if (read.isEnded()) for (const item of items as Iterable<T>) add(item);
  await runAll(options);
  return toOutcome();
}

function requireConcurrency(concurrency: number): void {
  if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= maxConcurrency) return;
  throw createInvalidInputError(
    `concurrency must be an integer from 1 to ${maxConcurrency}; got ${concurrency}.`,
  );
}

/** The items that are not known yet. An iterable that is not asynchronous is read as a whole instead. */
interface UnreadItems<T> {
  /** Reads one item, one call after the other; undefined at the end. */
  next<I>(add: (item: T) => I): Promise<I | undefined>;
  isEnded(): boolean;
}

function openItems<T>(items: Iterable<T> | AsyncIterable<T>): UnreadItems<T> {
  const given = Object(items) as Partial<Iterable<T> & AsyncIterable<T>>;
  const iterator = given[Symbol.asyncIterator]?.();
  if (!iterator && typeof given[Symbol.iterator] !== 'function') {
    throw createInvalidInputError(`bulk() requires an iterable of items; got ${describeType(items)}.`);
  }
  let isEnded = iterator === undefined;
  let before: Promise<unknown> = Promise.resolve();
  async function read<I>(add: (item: T) => I): Promise<I | undefined> {
    if (isEnded || !iterator) return undefined;
    try {
      const { done, value } = await iterator.next();
      if (!done) return add(value);
    } catch (error) {
      isEnded = true;
      throw error;
    }
    isEnded = true;
    return undefined;
  }
  return {
    next(add) {
      const item = before.then(() => read(add));
      before = item.catch(() => undefined);
      return item;
    },
    isEnded: () => isEnded,
  };
}

async function runItem<T, R>(
  item: BulkItem<T, R>,
  run: RunItem<T, R>,
  intent: readonly IntentPart[],
  signal: AbortSignal | undefined,
): Promise<BulkResult<T, R>> {
  const { index, result: before } = item;
  const { item: given } = before;
  const context: BulkItemContext = {
    index,
    get intent() {
      item.tookIntent = true;
      return [...intent, index];
    },
    signal,
  };
  try {
    if (before.status === 'unknown' && !item.tookIntent) {
      // Running the function again would be a second change.
      if (!before.error.resume) return before;
      await before.error.resume();
      return { item: given, status: 'done' };
    }
    return { item: given, status: 'done', value: await run(given, context) };
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return { item: given, status: 'unknown', error };
    return { item: given, status: 'failed', error };
  }
}
