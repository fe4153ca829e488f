import { type BulkProgress, requireRunOptions, runBulk } from '../bulk/bulk.ts';
import { AbortedError } from '../errors/no-usable-answer.ts';
import { OutcomeUnknownError } from '../errors/outcome-unknown.ts';
import { ConflictError, NotFoundError, requireKnown, StaleRevisionError } from '../errors/refused.ts';
import { maxListReads } from '../lists/list-changes.ts';
import { endWaitsOnly } from '../options/internal-options.ts';
import { createDeadline } from '../timing/deadline.ts';
import type { ConfigurationInputs, ConfigurationResource, Guarded, ResourceRecords } from '../types.ts';
import { joinRuns, takePlace } from '../write/run-in-order.ts';
import {
  compareRows,
  createUserSearch,
  type RowComparison,
  readList,
  requireDeletable,
} from './sync-comparison.ts';
import {
  prepareSync,
  type SyncItem,
  type SyncOptions,
  type SyncOutcome,
  type SyncResult,
  type SyncRow,
  type SyncRunOptions,
  type SyncValue,
  syncRunOptionNames,
} from './sync-options.ts';
import { nameLine, upsertFound } from './upsert.ts';
import type { FoundRecord, UpsertApi } from './upsert-writes.ts';

type Record<R extends ConfigurationResource> = Guarded<ResourceRecords[R]>;

/** A row or a deletion, and its result so far. */
interface Entry<R extends ConfigurationResource> {
  readonly item: SyncItem<R>;
  result: SyncResult<R>;
}

interface RowEntry<R extends ConfigurationResource> extends Entry<R> {
  readonly row: SyncRow<R>;
  /** What the list showed, if the row needs a change. */
  found: FoundRecord<R>;
  /** Lets the next upsert of the label begin. */
  leave(): void;
}

interface Deletion<R extends ConfigurationResource> extends Entry<R> {
  readonly item: Record<R>;
}

const missing = { record: undefined, hasData: false };
const noneDone = { done: 0, failed: 0, unknown: 0 };

/**
 * Makes the records of a resource equal to rows. It reads the list once and compares; each row that differs is an upsert
 * that begins with what the list showed. After all of them, the other records are deleted under the revision that it
 * showed.
 *
 * Rows take their places in the lines of their labels before the list is read. So it shows what earlier upserts of this
 * process did, and later ones find what this sync did.
 */
export async function syncRecords<R extends ConfigurationResource>(
  api: UpsertApi,
  resource: R,
  given: Iterable<ConfigurationInputs[R]>,
  options: SyncOptions<R>,
): Promise<SyncOutcome<R>> {
  const sync = prepareSync(resource, given, options);
  const { by, where, maxDeletions, dryRun, concurrency } = sync;
  const entries = sync.rows.map((row): RowEntry<R> => {
    const { item } = row;
    return { item, row, result: { item, status: 'skipped' }, found: missing, leave: () => undefined };
  });
  let deletions: Deletion<R>[] = [];
  let readById = 0;

  async function runAll(run: SyncRunOptions): Promise<SyncOutcome<R>> {
    const { signal } = run;
    const open = entries.filter(({ result }) => result.status !== 'done');
    const earlier = open.map((entry) => {
      const place = takePlace(nameLine(api, resource, entry.row.label));
      entry.leave = place.leave;
      return place.earlier;
    });
    try {
      await createDeadline(Infinity, signal).sleep(Infinity, Promise.all(earlier));
      if (entries.length > 0 && !signal?.aborted) await makeChanges(open, run);
    } catch (error) {
      // An abort while the list is read: what was done before is in the results.
      if (!signal?.aborted || !(error instanceof AbortedError)) throw error;
    } finally {
      for (const { leave } of open) leave();
    }
    return summarize();
  }

  async function makeChanges(open: readonly RowEntry<R>[], run: SyncRunOptions): Promise<void> {
    const { signal } = run;
    const { records, comparison } = await readAndCompare(open, signal);
    const { others } = comparison;
    const deleted = confirmDeletions(deletions, records);
    if (maxDeletions !== undefined) requireDeletable(resource, others.length, deleted.length, maxDeletions);
    const changes = open.filter((entry) => needsChange(entry, comparison));
    // What is not known of an earlier deletion is not known until the next one.
    const before = new Map(deletions.map(({ item, result }) => [item.id, result]));
    const added = others.map((item): Deletion<R> => {
      const result: SyncResult<R> = before.get(item.id) ?? { item, status: 'skipped' };
      return { item, result: { ...result, item } };
    });
    deletions = [...deleted, ...added];
    if (dryRun) {
      plan(changes, added, createUserSearch(records, comparison));
      createReport([], run)({ ...noneDone, remainingMs: 0 });
      return;
    }
    // One request, however many records are created at once.
    if (changes.some(({ found }) => !found.record)) await api.organizationId({ signal });
    const call = endWaitsOnly(signal, { inDoubt: true });
    const upsert = async ({ row, found, leave }: RowEntry<R>): Promise<SyncValue<R>> => {
      try {
        return await upsertFound(found, api, resource, row.data, { by, where, ...call }, 'Call resume()');
      } finally {
        leave();
      }
    };
    const remove = async ({ item: record }: Deletion<R>): Promise<SyncValue<R>> => {
      const change = { action: 'delete-configuration', resource, id: record.id };
      try {
        const { data } = await api.change(change, call, { record });
        return { outcome: 'deleted', record, operationId: data.operationId };
      } catch (error) {
        if (!(error instanceof NotFoundError) || error.meaning !== 'notFound') throw error;
        return { outcome: 'deleted', record };
      }
    };
    await runStage(changes, upsert, run, added.length);
    const isDone = entries.every(({ result }) => result.status === 'done');
    if (isDone && added.length > 0) await runStage(added, remove, run);
  }

  /** Reads the list, and again if it changed between two pages and something would be created or deleted. */
  async function readAndCompare(open: readonly RowEntry<R>[], signal: AbortSignal | undefined) {
    for (let reads = 1; ; reads++) {
      const list = await readList(api, resource, { signal }, () => void readById++);
      const comparison = compareRows(resource, sync, list.records);
      const isCreated = open.some(({ row }) => {
        const found = comparison.found.get(row);
        return !(found instanceof ConflictError) && found?.record === undefined;
      });
      // A record that was missed would be created again, be left although it is another, or count as deleted.
      const isOneMissable =
        isCreated ||
        maxDeletions !== undefined ||
        deletions.some(({ result }) => result.status === 'unknown');
      if (!isOneMissable || reads >= maxListReads || !(await list.hasMissed()))
        return { records: list.records, comparison };
    }
  }

  /** Whether a row is to be written. Otherwise its result is known. */
  function needsChange(entry: RowEntry<R>, comparison: RowComparison<R>): boolean {
    const { item, row } = entry;
    const found = comparison.found.get(row) ?? missing;
    if (found instanceof ConflictError) {
      // What was sent before may still be applied.
      if (entry.result.status !== 'unknown') entry.result = { item, status: 'failed', error: found };
    } else if (found.record && found.hasData)
      entry.result = { item, status: 'done', value: { outcome: 'unchanged', record: found.record } };
    else {
      entry.found = found;
      return true;
    }
    entry.leave();
    return false;
  }

  function plan(
    changes: readonly RowEntry<R>[],
    added: readonly Deletion<R>[],
    findUsers: (record: Record<R>) => readonly SyncItem<R>[],
  ): void {
    for (const entry of changes) {
      const { record } = entry.found;
      const outcome = record ? 'updated' : 'created';
      entry.result = { item: entry.item, status: 'planned', value: { outcome, record } };
    }
    for (const entry of added) {
      const { item } = entry;
      const value = { outcome: 'deleted', record: item, usedBy: findUsers(item) } as const;
      entry.result = { item, status: 'planned', value };
    }
  }

  /** Makes the changes of entries. `later` is how many deletions follow. */
  async function runStage<E extends Entry<R>>(
    stage: readonly E[],
    change: (entry: E) => Promise<SyncValue<R>>,
    run: SyncRunOptions,
    later = 0,
  ): Promise<void> {
    const { signal } = run;
    const onProgress = createReport(stage, run);
    onProgress({ ...noneDone, remainingMs: stage.length + later === 0 ? 0 : undefined });
    const { results } = await runBulk(api.paced, stage, change, { concurrency, signal, onProgress }, later);
    for (const [index, result] of results.entries()) {
      const entry = stage[index];
      // What was known before remains if nothing was sent: the abort came first, or ended a wait.
      const isUnsent =
        result.status === 'skipped' || (signal?.aborted && result.error instanceof AbortedError);
      if (entry && !isUnsent && !leavesUnknown(entry, result.error))
        entry.result = { ...result, item: entry.item };
    }
  }

  /** Returns what reports the progress of a stage, and what is known of the other rows and deletions. */
  function createReport(stage: readonly Entry<R>[], { onProgress }: SyncRunOptions) {
    const inStage = new Set(stage);
    const all = [...entries, ...deletions];
    const before = countResults(all.filter((entry) => !inStage.has(entry)));
    const doneBefore = before.created + before.updated + before.unchanged + before.deleted;
    return ({ done, failed, unknown, remainingMs }: Omit<BulkProgress, 'total'>): void => {
      try {
        onProgress?.({
          total: all.length,
          done: doneBefore + done,
          failed: before.failed + failed,
          unknown: before.unknown + unknown,
          remainingMs,
        });
      } catch {
        // A callback that throws does not affect the result.
      }
    };
  }

  function summarize(): SyncOutcome<R> {
    const all = [...entries, ...deletions];
    const counts = countResults(all);
    const isComplete = counts.failed + counts.unknown + counts.skipped === 0;
    return { ...counts, isComplete, readById, results: all.map(({ result }) => result), resume };
  }

  async function resume(again: SyncRunOptions = {}): Promise<SyncOutcome<R>> {
    requireKnown(again, syncRunOptionNames, 'resume()');
    requireRunOptions(again);
    return start({ onProgress: options.onProgress, ...again });
  }

  const start = joinRuns(runAll);
  return start({ signal: options.signal, onProgress: options.onProgress });
}

/** Whether what was sent before may still be applied after an error. A revision that is stale rules that out. */
const leavesUnknown = <R extends ConfigurationResource>({ result }: Entry<R>, error: unknown): boolean =>
  result.status === 'unknown' &&
  error !== undefined &&
  !(error instanceof OutcomeUnknownError) &&
  !(error instanceof StaleRevisionError);

/** The deletions that are done, and those whose outcome was unknown, if their record is gone by now. */
function confirmDeletions<R extends ConfigurationResource>(
  before: readonly Deletion<R>[],
  records: readonly Record<R>[],
): Deletion<R>[] {
  const ids = new Set(records.map(({ id }) => id));
  return before.flatMap((deletion) => {
    const { item, result } = deletion;
    if (ids.has(item.id)) return [];
    if (result.status === 'done') return [deletion];
    if (result.status !== 'unknown') return [];
    const { operationId } = result.error;
    return [
      { item, result: { item, status: 'done', value: { outcome: 'deleted', record: item, operationId } } },
    ];
  });
}

type Counts = Pick<
  SyncOutcome<ConfigurationResource>,
  'created' | 'updated' | 'unchanged' | 'deleted' | 'failed' | 'unknown' | 'skipped'
>;

function countResults<R extends ConfigurationResource>(entries: readonly Entry<R>[]): Counts {
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0, unknown: 0, skipped: 0 };
  for (const { result } of entries) {
    const { status } = result;
    counts[status === 'done' || status === 'planned' ? result.value.outcome : status]++;
  }
  return counts;
}
