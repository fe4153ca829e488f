import type { ClientContext } from '../client-context.ts';
import { createInvalidInputError, requireKnown } from '../errors/refused.ts';
import type { IntentPart } from '../options/options.ts';
import { listOptions } from '../options/resolve-options.ts';
import { requireAbortSignal } from '../timing/deadline.ts';
import { describeType } from '../values.ts';
import { copyIntent } from '../write/input.ts';
import { joinRuns } from '../write/run-in-order.ts';
import {
  areValues,
  type BulkItem,
  type BulkResult,
  type BulkValue,
  type RunItem,
  runItem,
} from './bulk-item.ts';
import { openSource } from './bulk-source.ts';
import { createTimeLeft } from './bulk-time-left.ts';

/**
 * Options of `client.bulk()`.
 *
 * @example
 * const options: BulkOptions = { concurrency: 4, intent: ['import', '2026-05-04'] };
 * await client.bulk(['Gold', 'Silver'], (name, { intent }) => client.tags.create({ name, color: 'orange' }, { intent }), options);
 */
export interface BulkOptions {
  /**
   * How many items are in progress at once. Default 8. The pacing of the client bounds the requests as always.
   */
  readonly concurrency?: number | undefined;
  /**
   * If aborted, no further item is started or awaited. Each item receives the signal: pass it on to its calls.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * What the run is for. The intent of each item is made from it and the index of the item, so the same items in the same
   * order, in this process or a later one, are changed once. Default: a random one, which `resume()` keeps.
   */
  readonly intent?: readonly IntentPart[] | undefined;
  /** Called after each item. Errors that it throws are ignored. */
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
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

/** How a bulk run is continued: what complete and incomplete outcomes have in common. */
export interface BulkRun<T, R> {
  /**
   * Runs every item again that is not done, with the same intents, keeps the other results, and reads on from the
   * source. An item with an unknown change that had no intent is asked about instead: a second change could double
   * it. If that change is applied, the item is `failed` with `ITEM_UNFINISHED` from then on. An item that failed after such
   * a change was applied, as with `RESULT_MISSING`, stays as it is.
   * During a run, it returns the promise of that run.
   *
   * @example
   * let outcome = await client.bulk([tag.id, 'nothing'], (id) => client.tags.get(id));
   * if (!outcome.isComplete) outcome = await outcome.resume();
   */
  resume(options?: Pick<BulkOptions, 'signal' | 'onProgress'>): Promise<BulkOutcome<T, R>>;
}

interface CompleteBulkRun<T, R> extends BulkRun<T, R> {
  /** Every item is done, and the source has ended. */
  readonly isComplete: true;
  /** One result per item, in the order of the items. */
  readonly results: readonly BulkValue<T, R>[];
  readonly sourceError: undefined;
}

interface IncompleteBulkRun<T, R> extends BulkRun<T, R> {
  /** An item is not done, or the source has not ended. */
  readonly isComplete: false;
  /** One result per item that was read, in the order of the items. */
  readonly results: readonly BulkResult<T, R>[];
  /** What an asynchronous source failed with. The items after that are not among the results. Undefined otherwise. */
  readonly sourceError: unknown;
}

/** The results of a bulk run, and how to continue it. If `isComplete` is true, each result has a `value`. */
export type BulkOutcome<T, R> = CompleteBulkRun<T, R> | IncompleteBulkRun<T, R>;

type RunOptions = Pick<BulkOptions, 'signal' | 'onProgress'>;

const runOptions = { signal: true, onProgress: true } as const;
const runOptionNames = listOptions<RunOptions>(runOptions);
const optionNames = listOptions<BulkOptions>({ concurrency: true, intent: true, ...runOptions });
/** How many items are in progress at once by default. */
export const defaultConcurrency = 8;
const maxConcurrency = 1_000;

/**
 * Runs a function for each item, several at a time. Rejects only before the first item: if an argument is wrong, or if
 * a synchronous iterable throws. `later` is how many items a run after this one has: the progress counts them.
 */
export async function runBulk<T, R>(
  client: Pick<ClientContext, 'rateLimiter' | 'callOptions'>,
  items: Iterable<T> | AsyncIterable<T>,
  run: RunItem<T, R>,
  options: BulkOptions = {},
  later = 0,
): Promise<BulkOutcome<T, R>> {
  requireKnown(options, optionNames, 'bulk()');
  const { concurrency = defaultConcurrency, intent = ['bulk', crypto.randomUUID()] } = options;
  requireConcurrency(concurrency);
  requireRunOptions(options);
  const intentOfRun = copyIntent(intent);
  if (typeof run !== 'function')
    throw createInvalidInputError(`bulk() requires a function; got ${typeof run}.`);
  const source = openSource(items);
  const known: BulkItem<T, R>[] = [];
  const counts = { done: 0, failed: 0, unknown: 0, skipped: 0 };

  function add(item: T): BulkItem<T, R> {
    const added: BulkItem<T, R> = {
      index: known.length,
      result: { item, status: 'skipped' },
      isUnfinished: false,
    };
    known.push(added);
    counts.skipped++;
    return added;
  }

  async function runAll({ signal, onProgress }: RunOptions): Promise<BulkOutcome<T, R>> {
    const timeLeft = createTimeLeft(client, concurrency);
    const waiting = known.filter(({ result, isUnfinished }) => result.status !== 'done' && !isUnfinished);
    source.reopen();

    function report(): void {
      const total = source.hasEnded() ? known.length + later : undefined;
      const remainingMs = total === undefined ? undefined : timeLeft.estimate(waiting.length + later);
      const { done, failed, unknown } = counts;
      try {
        onProgress?.({ total, done, failed, unknown, remainingMs });
      } catch {
        // A callback that throws does not affect the result.
      }
    }

    async function work(): Promise<void> {
      while (!signal?.aborted) {
        const item = waiting.shift() ?? (await source.next(add, signal));
        if (item === undefined || signal?.aborted) return;
        const { index } = item;
        const end = timeLeft.begin();
        const result = await runItem(item, run, {
          index,
          intent: [...intentOfRun, index],
          signal,
        });
        end();
        counts[item.result.status]--;
        counts[result.status]++;
        item.result = result;
        report();
      }
    }

    await Promise.all(Array.from({ length: concurrency }, work));
    const results = known.map(({ result }) => result);
    const sourceError = source.error();
    return source.hasEnded() && sourceError === undefined && areValues(results)
      ? { isComplete: true, results, sourceError, resume }
      : { isComplete: false, results, sourceError, resume };
  }

  async function resume(given: RunOptions = {}): Promise<BulkOutcome<T, R>> {
    requireKnown(given, runOptionNames, 'resume()');
    requireRunOptions(given);
    const { signal, onProgress = options.onProgress } = given;
    return start({ signal, onProgress });
  }

  const start = joinRuns(runAll);
  if (source.hasEnded()) for (const item of items as Iterable<T>) add(item);
  return start(options);
}

/** Throws unless so many items can be in progress at once. */
export function requireConcurrency(concurrency: number): void {
  if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= maxConcurrency) return;
  throw createInvalidInputError(
    `concurrency must be an integer from 1 to ${maxConcurrency}; got ${concurrency}.`,
  );
}

/** Throws unless `signal` and `onProgress` are what they have to be. */
export function requireRunOptions({
  signal,
  onProgress,
}: {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: unknown;
}): void {
  try {
    if (signal !== undefined) requireAbortSignal(signal);
  } catch (error) {
    throw createInvalidInputError(`signal must be an AbortSignal; got ${describeType(signal)}.`, error);
  }
  if (onProgress === undefined || typeof onProgress === 'function') return;
  throw createInvalidInputError(`onProgress must be a function; got ${describeType(onProgress)}.`);
}
