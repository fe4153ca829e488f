import { AbortedError, type BulkItemContext, OrgChatError } from '@orgchat/sdk';
import type { Context } from '../context.ts';
import type { CliError } from '../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import type { Row } from '../output/output.ts';
import { showProgress } from '../output/progress.ts';
import { RowQueue } from '../output/row-queue.ts';
import { createNotApplied, flattenChange } from './change-document.ts';

/** How many records are in progress at once; the pacing of the client bounds the requests. */
const concurrency = 6;

/** Failures that are about one record. After any other one, such as a refused key or a limit, no further one is started. */
const ownFailures: readonly ExitCode[] = [
  exitCodes.usage,
  exitCodes.conflict,
  exitCodes.notFound,
  exitCodes.unknown,
];

/** The change of many records, one by one. */
export interface ManyChanges<T> {
  /** The plural noun of the records. */
  readonly what: string;
  readonly items: readonly T[];
  /** Names an item in its row. */
  readonly identify: (item: T) => Row;
  /** Changes an item, and resolves to the document of the change. */
  readonly change: (item: T, bulk: BulkItemContext) => Promise<Row>;
  /** Columns of a table. */
  readonly columns: readonly string[];
}

/** Changes many records and prints a row for each: its identity and its outcome. A failure does not stop the others. */
export async function runMany<T>(context: Context, many: ManyChanges<T>): Promise<void> {
  const { what, items, identify } = many;
  const { output, interrupt } = context;
  const client = await context.client();
  const rows = new RowQueue();
  const failures: CliError[] = [];
  const counts = new Map<string, number>();
  const stopping = new AbortController();
  const signal = AbortSignal.any([interrupt.signal, stopping.signal]);
  const add = (item: T, document: Row): void => {
    const outcome = String(document.outcome);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const row = { ...identify(item), ...document };
    rows.add(output.fields === undefined ? row : flattenChange(row));
  };
  const fail = async (item: T, error: unknown): Promise<void> => {
    const failure = await context.toCliError(error);
    failures.push(failure);
    if (!ownFailures.includes(failure.exit)) stopping.abort();
    add(item, toFailureDocument(failure, error));
  };
  const progress = await showProgress(output, what, items.length);
  interrupt.signal.addEventListener('abort', progress.stop, { once: true });
  const run = async (item: T, bulk: BulkItemContext): Promise<void> => {
    try {
      add(item, await many.change(item, bulk));
    } catch (error) {
      // It waited for its turn when the run was stopped. Nothing was sent.
      if (error instanceof AbortedError && signal.aborted) add(item, notStarted);
      else await fail(item, error);
    }
  };
  const running = interrupt.runToEnd('the changes in progress', async () => {
    const onProgress = ({ done }: { readonly done: number }): void => progress.update(done);
    const { results } = await client.bulk(items, run, { signal, concurrency, onProgress });
    for (const { item, status } of results) if (status === 'skipped') add(item, notStarted);
  });
  void running.catch(() => {}).finally(() => rows.end());
  await output.many(rows, many.columns);
  await running;
  progress.stop();
  reportMany(context, what, counts, failures);
}

const notStarted = createNotApplied('not-started');

function toFailureDocument({ exit, code, message, hint, operationId }: CliError, error: unknown): Row {
  const known = error instanceof OrgChatError ? error.outcome : undefined;
  const outcome = exit === exitCodes.unknown ? 'unknown' : (known ?? 'abandoned');
  return createNotApplied(outcome, { operationId: operationId ?? null, error: { code, message, hint } });
}

function reportMany(
  context: Context,
  what: string,
  counts: ReadonlyMap<string, number>,
  failures: readonly CliError[],
): void {
  const all = [...counts].map(
    ([outcome, count]) => `${count} ${outcome === 'not-started' ? 'not started' : outcome}`,
  );
  context.output.note(`${what}: ${all.join(', ')}.`);
  const [first] = failures;
  if (first !== undefined) {
    const more = failures.length > 1 ? ` (and ${failures.length - 1} more)` : '';
    context.output.warn(`${first.message}${more} ${first.hint}`);
  }
  const isPartly = counts.has('applied') || counts.has('unchanged');
  const exits = new Set(failures.map(({ exit }) => exit));
  const [exit = exitCodes.done] = exits;
  if (exits.has(exitCodes.unknown) || (exits.size > 0 && isPartly)) context.exitCode = exitCodes.unknown;
  else if (exits.size > 0) context.exitCode = exits.size === 1 ? exit : exitCodes.failed;
}
