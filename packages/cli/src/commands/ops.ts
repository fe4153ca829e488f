import type { OperationEntry, OperationState, OrgChatClient } from '@orgchat/sdk';
import { type Command, Option } from 'commander';
import { action, examples } from '../action.ts';
import { printOutcome } from '../changes.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { Failure, notFound, usage } from '../failure.ts';
import { howToSettleKeywords } from '../keywords/advice.ts';
import { forgetRequest } from '../keywords/forget.ts';
import type { Row } from '../output/output.ts';
import { isUuid } from '../parsers.ts';
import { confirm } from '../prompt.ts';
import { readCodes } from '../settings/codes.ts';

export function configure(command: Command): void {
  list(command);
  show(command);
  resume(command);
  forget(command);
  examples(
    command,
    ['orgchat ops list --unsettled', 'whose outcome is open'],
    ['orgchat ops show ID --check', 'what it was, and what the records tell of it'],
    ['orgchat ops resume --all', 'ask again: same ids, same input'],
  );
}

const columns = ['operationId', 'state', 'what', 'createdAt', 'attempts', 'error'];
const states = ['pending', 'unknown', 'applied', 'refused', 'abandoned'] as const;

/** An entry on one line: the change's action, or the site that keywords were for. */
function summary(entry: Row): Row {
  const change = entry.change as Row | undefined;
  const error = entry.error as { code: string } | undefined;
  return { ...entry, what: change?.action ?? entry.path, error: error?.code };
}

function list(command: Command): void {
  const listing = command
    .command('list')
    .alias('ls')
    .description('what the journal has for this address and key, oldest first')
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .option('--unsettled', 'only those whose outcome is open');
  action<{ state?: OperationState; unsettled?: true }>(listing, async (context, { state, unsettled }) => {
    const client = await context.client();
    const entries = await client.operations.list({ state, ...(unsettled && { open: true }) });
    const rows = entries.map((entry): Row => ({ ...entry }));
    await context.output.many(context.output.format === 'table' ? rows.map(summary) : rows, columns);
    await tellUnknownCodes(context, entries);
    for (const { where, message } of await client.operations.problems())
      context.output.warn(`${where}: ${message}`);
  });
  examples(
    listing,
    ['orgchat ops list --unsettled'],
    ['orgchat ops list --state unknown --json --fields operationId,change'],
  );
}

/** Says how to configure the codes that no meaning is known of, each once. */
async function tellUnknownCodes(context: Context, entries: readonly OperationEntry[]): Promise<void> {
  const { createFindMeaning, resolveCodes } = await import('@orgchat/spec');
  const { howToConfigure, isUnknownCode } = await import('../connection/unknown-codes.ts');
  const { codes } = resolveCodes(await readCodes(context.options, context.env));
  if (codes === undefined) return;
  const meaningOf = createFindMeaning(codes);
  const found = entries.flatMap(({ error }) => {
    if (error?.status === undefined) return [];
    const { status, reason, code } = error;
    const word = reason ?? code;
    return [{ status, code: word, meaning: meaningOf(status, word) }];
  });
  for (const line of new Set(found.filter(isUnknownCode).map(howToConfigure))) context.output.warn(line);
}

const isOpen = (state: OperationState): boolean => state === 'pending' || state === 'unknown';

const notResumed =
  'a keyword request is never sent again by itself: nothing tells the second from the first.';

function keywordsNotResumed(operationId: string): Failure {
  return new Failure(`${notResumed.charAt(0).toUpperCase()}${notResumed.slice(1)}`, {
    code: 'NOT_RESUMABLE',
    exit: exitCodes.unknown,
    hint: howToSettleKeywords(operationId),
    operationId,
  });
}

async function entryOf(client: OrgChatClient, id: string): Promise<OperationEntry> {
  if (!isUuid(id)) throw usage(`"${id}" is no operation id.`, 'An operation id is a UUID: orgchat ops list');
  const entry = await client.operations.get(id.toLowerCase());
  if (entry !== undefined) return entry;
  throw notFound(
    `The journal has no operation ${id} for this address and key.`,
    'What it has: orgchat ops list; another key or address has its own.',
  );
}

function show(command: Command): void {
  const showing = command
    .command('show')
    .description('one operation, as it was sent')
    .argument('<id>', 'its operation id')
    .option('--check', 'also read what it was about, and say what that tells of its outcome');
  action<{ check?: true }>(showing, async (context, { check }, id) => {
    const client = await context.client();
    const entry = await entryOf(client, id);
    const evidence = check
      ? await client.operations.reconcile(entry, { signal: context.interrupt.signal })
      : undefined;
    await context.output.one({ ...entry, ...(evidence && { reconciliation: evidence }) });
  });
  examples(
    showing,
    ['orgchat ops show ID'],
    ['orgchat ops show ID --check', 'was it applied? Writes nothing.'],
  );
}

function resume(command: Command): void {
  const resuming = command
    .command('resume')
    .description(
      'ask again about operations whose outcome is open: same ids, same input, applied at most once',
    )
    .argument('[id]', 'an operation id')
    .option('--all', 'every operation whose outcome is open')
    .option('--wait', 'with --all: also wait for operations that another process has, or had when it died')
    .addHelpText('after', `\n${resumeAllExits}`);
  action<{ all?: true; wait?: true }>(resuming, async (context, { all, wait }, id) => {
    if ((id === undefined) === (all === undefined))
      throw usage('Name an operation, or give --all.', 'See what is open: orgchat ops list --unsettled');
    if (wait && !all) throw usage('--wait is for --all only.', 'orgchat ops resume --all --wait');
    const client = await context.client();
    if (id !== undefined) {
      const { operationId, kind, state } = await entryOf(client, id);
      if (kind === 'keywords' && isOpen(state)) throw keywordsNotResumed(operationId);
      const outcome = await context.interrupt.finish('the operation', () =>
        client.operations.resume(operationId),
      );
      return printOutcome(context, outcome);
    }
    return resumeAll(context, client, wait ?? false);
  });
  examples(
    resuming,
    ['orgchat ops resume ID'],
    ['orgchat ops resume --all', 'after a crash, or when the network is back'],
    ['orgchat ops resume --all --wait', 'after a container was restarted'],
  );
}

const resumeAllExits =
  '--all exits 7 while anything is still open. Where all is settled and some was refused, it exits as the refused\nchanges would have (4, 5, 6, …), and with 1 where they were refused in different ways.';

async function resumeAll(context: Context, client: OrgChatClient, wait: boolean): Promise<void> {
  const outcomes = await context.interrupt.finish('the operations', () =>
    client.operations.resumeAll({ wait }),
  );
  const refusals = new Set<ExitCode>();
  const rows = await Promise.all(
    outcomes.map(async ({ error, ...outcome }): Promise<Row> => {
      if (error === undefined) return { ...outcome };
      const open = isOpen(outcome.state);
      const failure =
        outcome.kind === 'keywords' && open
          ? keywordsNotResumed(outcome.operationId)
          : await context.toFailure(error);
      const { code, message, hint, exit } = failure;
      if (!open) refusals.add(exit);
      return { ...outcome, error: { code, message, hint } };
    }),
  );
  await context.output.many(rows, ['operationId', 'kind', 'state', 'replayed', 'error.message']);
  if (rows.length === 0) context.output.note('There is nothing to resume.');
  const open = rows.filter(({ state }) => state === 'unknown' || state === 'pending');
  const [refusal, another] = refusals;
  if (refusal !== undefined) context.exitCode = another === undefined ? refusal : exitCodes.failed;
  if (open.length > 0) context.exitCode = exitCodes.unknown;
  const named = (kind: string): string[] =>
    open.filter((row) => row.kind === kind).map(({ operationId }) => String(operationId));
  const [changes, keywords] = [named('change'), named('keywords')];
  if (changes.length > 0) {
    context.output.warn(
      `the outcome of ${changes.length} is still open: ${changes.join(', ')}; ask again later: orgchat ops resume --all`,
    );
  }
  if (keywords.length > 0) {
    context.output.warn(
      `${keywords.join(', ')}: ${notResumed} ${howToSettleKeywords(keywords.length === 1 ? `${keywords[0]}` : 'ID')}`,
    );
  }
}

function forget(command: Command): void {
  const forgetting = command
    .command('forget')
    .description('remove an operation from the journal; it undoes nothing')
    .argument('<id>', 'its operation id');
  action(forgetting, async (context, _options, id) => {
    const client = await context.client();
    const entry = await entryOf(client, id);
    if (isOpen(entry.state)) {
      const after =
        entry.kind === 'keywords'
          ? 'an import sends its keywords again'
          : 'it can then not be asked for any more';
      await confirm(`The outcome of ${entry.operationId} is open; ${after}. Forget it?`, context.options.yes);
    }
    if (entry.kind === 'keywords') await forgetRequest(entry.operationId);
    const forgotten = await client.operations.forget(entry.operationId);
    await context.output.one({ operationId: entry.operationId, forgotten });
  });
  examples(
    forgetting,
    ['orgchat ops forget ID'],
    ['orgchat ops forget ID --yes', 'a keyword request, after a look at the keywords of the site'],
  );
}
