import type { Outbox, OutboxEntry } from '@orgchat/fleet/postgres';
import { maxListed } from '@orgchat/sdk/internal';
import { type Command, Option } from 'commander';
import { integer, isUuid } from '../args/value-parsers.ts';
import type { Context } from '../context.ts';
import { action, examples } from '../define-command.ts';
import { type CliError, notFoundError, usageError } from '../errors/cli-error.ts';
import { confirm } from '../input/prompt.ts';
import type { Row } from '../output/output.ts';
import type { JournalCall } from '../shared-journal/from-store-error.ts';
import { operationColumns, toOperationRow } from './ops/summarize-operation.ts';

interface OutboxFlags {
  readonly outbox?: string;
}

export function configure(command: Command): void {
  list(command);
  show(command);
  retry(command);
  remove(command);
  stats(command);
  examples(
    command,
    ['orgchat outbox list --state refused', 'with ORGCHAT_JOURNAL set to the database of the outbox'],
    ['orgchat outbox retry ID', 'the next relay sends it again, under the same id'],
    ['orgchat outbox stats --json'],
  );
}

const withName = (command: Command): Command =>
  command.option(
    '--outbox <name>',
    'name of the outbox, if the organization has several (default "default")',
  );

/** Runs work with the outbox of the key's organization, in the database of the journal. */
async function withOutbox<T>(
  context: Context,
  { outbox: name }: OutboxFlags,
  call: JournalCall,
  work: (box: Outbox) => Promise<T>,
): Promise<T> {
  const { sharedJournal } = await context.connect();
  if (sharedJournal === undefined)
    throw usageError(
      'No database configured: an outbox is in the Postgres that --journal or ORGCHAT_JOURNAL names.',
      'Set ORGCHAT_JOURNAL to a URL such as postgres://USER:PASSWORD@HOST/DATABASE.',
    );
  const { organizationId } = await context.account();
  return sharedJournal.useOutbox({ organization: organizationId, name }, call, work);
}

function list(command: Command): void {
  const listing = withName(
    command
      .command('list')
      .alias('ls')
      .description('list the changes in the outbox of this organization, oldest first')
      .addOption(
        new Option('--state <state>', 'only changes in this state').choices(['open', 'refused', 'unknown']),
      )
      .option('--limit <n>', `maximum number of changes (default ${maxListed})`, integer(1)),
  );
  action<OutboxFlags & { state?: OutboxEntry['state']; limit?: number }>(
    listing,
    async (context, options) => {
      const { state, limit = maxListed } = options;
      const { output } = context;
      const entries = await withOutbox(context, options, 'read', (box) =>
        box.list({ state, limit: limit + 1 }),
      );
      const rows = entries.slice(0, limit).map((entry): Row => toOperationRow({ ...entry }));
      await output.many(rows, columns);
      if (output.format === 'table' && rows.length === 0)
        output.note(`No ${state === undefined ? '' : `${state} `}changes in the outbox.`);
      if (entries.length > limit)
        output.note(`Showing the oldest ${limit} changes. Use --limit N to show more.`);
    },
  );
  examples(listing, ['orgchat outbox list'], ['orgchat outbox list --state refused --json']);
}

/** Its errors are texts. */
const columns = operationColumns.map((name) => (name === 'error.code' ? 'error' : name));

function show(command: Command): void {
  const showing = withName(
    command.command('show').description('show a change in the outbox').argument('<id>', 'operation id'),
  );
  action<OutboxFlags>(showing, async (context, options, given) => {
    const id = requireOperationId(given);
    const entry = await withOutbox(context, options, 'read', (box) => box.get(id));
    if (entry === undefined) throw unknownChangeError(id);
    await context.output.one({ ...entry });
  });
  examples(showing, ['orgchat outbox show ID']);
}

function retry(command: Command): void {
  const retrying = withName(
    command
      .command('retry')
      .description('have a change sent again by the next relay, under the same id')
      .argument('<id>', 'operation id'),
  );
  action<OutboxFlags>(retrying, async (context, options, given) => {
    const id = requireOperationId(given);
    if (!(await withOutbox(context, options, 'change', (box) => box.retry(id)))) throw unknownChangeError(id);
    await context.output.one({ operationId: id, state: 'open' });
  });
  examples(retrying, ['orgchat outbox retry ID', 'after the reason of its refusal is gone']);
}

function remove(command: Command): void {
  const removing = withName(
    command
      .command('remove')
      .description('remove a change from the outbox: it is not sent any more')
      .argument('<id>', 'operation id'),
  );
  action<OutboxFlags>(removing, async (context, options, given) => {
    const id = requireOperationId(given);
    const removed = await withOutbox(context, options, 'change', async (box) => {
      const entry = await box.get(id);
      if (entry === undefined) throw unknownChangeError(id);
      if (entry.state !== 'refused')
        await confirm(
          `Change ${id} is ${entry.state}; nobody will send it or see it after this. Remove it?`,
          context.options.yes,
        );
      return box.remove(id);
    });
    await context.output.one({ operationId: id, removed });
  });
  examples(removing, ['orgchat outbox remove ID'], ['orgchat outbox remove ID --yes', 'also if it is open']);
}

function stats(command: Command): void {
  const counting = withName(
    command
      .command('stats')
      .description('count the changes in the outbox by state, with the age of the oldest'),
  );
  action<OutboxFlags>(counting, async (context, options) => {
    const counts = await withOutbox(context, options, 'read', (box) => box.stats());
    await context.output.one({ ...counts });
  });
  examples(counting, ['orgchat outbox stats'], ['orgchat outbox stats --json']);
}

function requireOperationId(id: string): string {
  if (isUuid(id)) return id.toLowerCase();
  throw usageError(
    `"${id}" is not an operation id.`,
    'Operation ids are UUIDs. List them: orgchat outbox list',
  );
}

const unknownChangeError = (id: string): CliError =>
  notFoundError(
    `No change ${id} in the outbox of this organization.`,
    'It may have been applied. List the changes: orgchat outbox list',
  );
