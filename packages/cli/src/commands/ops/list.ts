import type { ListOperationsOptions, OperationEntry, OperationState, OrgChatClient } from '@orgchat/sdk';
import { maxListed } from '@orgchat/sdk/internal';
import { type Command, Option } from 'commander';
import { integer } from '../../args/value-parsers.ts';
import { describeJournal } from '../../connection/journal.ts';
import type { Context } from '../../context.ts';
import { action, examples } from '../../define-command.ts';
import type { Row } from '../../output/output.ts';
import { resolveServerFile } from '../../settings/server-file.ts';
import { requireEntry } from './require-entry.ts';
import { operationColumns, toOperationRow } from './summarize-operation.ts';

const states = ['pending', 'unknown', 'applied', 'refused', 'abandoned'] as const;

interface ListOptions {
  readonly state?: OperationState;
  readonly unsettled?: true;
  readonly limit?: number;
  readonly after?: string;
  readonly all?: true;
}

export function list(command: Command): void {
  const listing = command
    .command('list')
    .alias('ls')
    .description('list operations in the journal for this server and key, oldest first')
    .addOption(new Option('--state <state>', 'only operations in this state').choices(states))
    .option('--unsettled', 'only operations without a final outcome')
    .option('--limit <n>', `maximum number of operations (default ${maxListed})`, integer(1))
    .option('--after <id>', 'only operations after this one, the last of the page before')
    .option('--all', 'list all operations');
  action<ListOptions>(listing, printOperations);
  examples(
    listing,
    ['orgchat ops list --unsettled'],
    ['orgchat ops list --state unknown --json --fields operationId,change'],
    ['orgchat ops list --all --format ndjson', 'prints each page as it is read'],
  );
}

async function printOperations(context: Context, options: ListOptions): Promise<void> {
  const { state, unsettled, limit = maxListed, all, after } = options;
  const { output } = context;
  const client = await context.client();
  const position = after === undefined ? undefined : await requireEntry(client, after);
  const maxOperations = all ? Number.POSITIVE_INFINITY : limit;
  const filter: ListOperationsOptions = { state, after: position, ...(unsettled && { open: true }) };
  const unknownCodes = await createCodeWarnings(context);
  let shown = 0;
  let last: OperationEntry | undefined;
  let hasMore = false;
  async function* toRows(): AsyncGenerator<Row> {
    for await (const entry of readOperations(client, filter, maxOperations + 1)) {
      hasMore = shown === maxOperations;
      if (hasMore) return;
      shown++;
      last = entry;
      unknownCodes.add(entry);
      yield toOperationRow({ ...entry });
    }
  }
  await output.many(toRows(), operationColumns);
  if (output.format === 'table' && shown === 0) {
    const which = state ?? (unsettled ? 'unsettled' : undefined);
    const journal = describeJournal(await context.connect());
    output.note(`No ${which === undefined ? '' : `${which} `}operations in ${journal}.`);
  }
  if (hasMore)
    output.note(
      `Showing ${shown} operations. Use --all to show all, or --after ${last?.operationId} for the next page.`,
    );
  for (const line of unknownCodes.lines) output.warn(line);
  for (const { location, message } of await client.operations.problems())
    output.warn(`${location}: ${message}`);
}

/** Yields at most `limit` operations, page by page. */
async function* readOperations(
  { operations }: OrgChatClient,
  filter: ListOperationsOptions,
  limit: number,
): AsyncGenerator<OperationEntry> {
  let { after } = filter;
  for (let rest = limit; rest > 0; ) {
    const pageSize = Math.min(rest, maxListed);
    const page = await operations.list({ ...filter, after, limit: pageSize });
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1);
    rest -= page.length;
  }
}

/** Collects what is to be said about codes whose meaning is not known, each once. */
async function createCodeWarnings(context: Context) {
  const { createFindMeaning, resolveServer } = await import('@orgchat/spec');
  const { describeUnknownCode, isUnknownCode } = await import('../../error-conversion/unknown-codes.ts');
  const { codes } = resolveServer(await resolveServerFile(context.options, context.env));
  const findMeaning = codes && createFindMeaning(codes);
  const lines = new Set<string>();
  return {
    lines,
    add({ error }: OperationEntry): void {
      if (findMeaning === undefined || error?.status === undefined) return;
      const { status, reason, code } = error;
      const word = reason ?? code;
      const refusal = { status, code: word, meaning: findMeaning(status, word) };
      if (isUnknownCode(refusal)) lines.add(describeUnknownCode(refusal));
    },
  };
}
