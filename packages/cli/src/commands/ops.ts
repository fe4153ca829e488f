import { isOpen, type UnappliedOperation } from '@orgchat/sdk';
import { endWaitsOnly } from '@orgchat/sdk/internal';
import type { Command } from 'commander';
import { printOutcome } from '../changes/run-change.ts';
import { findSharedJournal } from '../connection/client.ts';
import type { Context } from '../context.ts';
import { action, examples } from '../define-command.ts';
import { getKeywordOutcomeHint, getKnownIntentHint } from '../error-conversion/outcome-hints.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import type { Row } from '../output/output.ts';
import { findResultFields } from '../output/printed-fields.ts';
import { adopt } from './ops/adopt.ts';
import { forget } from './ops/forget.ts';
import { list } from './ops/list.ts';
import { requireEntry } from './ops/require-entry.ts';

export function configure(command: Command): void {
  list(command);
  show(command);
  resume(command);
  adopt(command);
  forget(command);
  migrate(command);
  examples(
    command,
    ['orgchat ops list --unsettled', 'operations without a final outcome'],
    ['orgchat ops show ID --check', 'shows the request and checks whether it was applied'],
    ['orgchat ops resume --all', 'resends them with the same ids and input'],
  );
}

const notResumed = 'Keyword requests are never retried automatically: the API cannot detect duplicates.';

function notResumableError(operationId: string): CliError {
  return new CliError(notResumed, {
    code: 'NOT_RESUMABLE',
    exit: exitCodes.unknown,
    hint: getKeywordOutcomeHint(operationId),
    operationId,
  });
}

function show(command: Command): void {
  const showing = command
    .command('show')
    .description('show an operation')
    .argument('<id>', 'operation id')
    .option('--check', 'read the current records to find out whether it was applied');
  action<{ check?: true }>(showing, async (context, { check }, id) => {
    const client = await context.client();
    const entry = await requireEntry(client, id);
    const evidence = check
      ? await client.operations.reconcile(entry, { signal: context.interrupt.signal })
      : undefined;
    await context.output.one({ ...entry, ...(evidence && { reconciliation: evidence }) });
  });
  examples(
    showing,
    ['orgchat ops show ID'],
    ['orgchat ops show ID --check', 'checks whether it was applied; changes nothing'],
  );
}

function resume(command: Command): void {
  const resuming = command
    .command('resume')
    .description('resend operations without a final outcome; each is applied at most once')
    .argument('[id]', 'operation id')
    .option('--all', 'all operations without a final outcome')
    .option('--wait', 'with --all: also wait for operations that another process holds')
    .addHelpText('after', `\n${resumeAllExits}`);
  action<{ all?: true; wait?: true }>(resuming, async (context, { all, wait }, id) => {
    if ((id === undefined) === (all === undefined))
      throw usageError(
        'Pass either an operation id or --all.',
        'List operations without a final outcome: orgchat ops list --unsettled',
      );
    if (wait && !all) throw usageError('--wait requires --all.', 'orgchat ops resume --all --wait');
    if (id !== undefined) {
      const client = await context.client();
      const { operationId, kind, state, change } = await requireEntry(client, id);
      if (change !== undefined) context.requireFields(await findResultFields(change));
      if (kind === 'keywords' && isOpen({ state })) throw notResumableError(operationId);
      const outcome = await context.interrupt.runToEnd('the operation', () =>
        client.operations.resume(operationId, endWaitsOnly(context.interrupt.signal)),
      );
      return printOutcome(context, outcome);
    }
    context.requireFields({ names: resumedFields, isOpen: false });
    return resumeAll(context, wait ?? false);
  });
  examples(
    resuming,
    ['orgchat ops resume ID'],
    ['orgchat ops resume --all', 'after a crash or network failure'],
    ['orgchat ops resume --all --wait', 'after a container restart'],
  );
}

const resumedFields = 'operationId kind state replayed error applied auditRecorded result retryAt'.split(' ');

const resumeAllExits =
  '--all exits 7 if any outcome is still unknown. If all are settled and some were refused, it exits with the code of\nthat refusal (4, 5, 6, …), or with 1 if they differ.';

async function resumeAll(context: Context, wait: boolean): Promise<void> {
  const onWait = ({ operationId, retryAt }: UnappliedOperation): void =>
    context.output.note(
      `Waiting for operation ${operationId}, which another process holds, until ${retryAt?.toISOString()} at the latest.`,
    );
  const { operations } = await context.client();
  const outcomes = await context.interrupt.runToEnd('the operations', () =>
    operations.resumeAll({ now: true, wait, onWait, ...endWaitsOnly(context.interrupt.signal) }),
  );
  const refusals = new Set<ExitCode>();
  const rows = await Promise.all(
    outcomes.map(async ({ error, ...outcome }): Promise<Row> => {
      if (error === undefined) return { ...outcome };
      const open = isOpen(outcome);
      const failure =
        outcome.kind === 'keywords' && open
          ? notResumableError(outcome.operationId)
          : await context.toCliError(error);
      const { code, message, hint, exit } = failure;
      if (!open) refusals.add(exit);
      return { ...outcome, error: { code, message, hint } };
    }),
  );
  await context.output.many(rows, ['operationId', 'kind', 'state', 'replayed', 'error.message']);
  if (rows.length === 0) context.output.note('Nothing to resume.');
  const open = rows.filter(({ state }) => state === 'unknown' || state === 'pending');
  const [refusal, another] = refusals;
  if (refusal !== undefined) context.exitCode = another === undefined ? refusal : exitCodes.failed;
  if (open.length > 0) context.exitCode = exitCodes.unknown;
  const named = (kind: string): string[] =>
    open.filter((row) => row.kind === kind).map(({ operationId }) => String(operationId));
  const known = new Set(
    outcomes.filter(({ error }) => error?.reason === 'intent-known').map(({ operationId }) => operationId),
  );
  const [changes, keywords] = [named('change').filter((id) => !known.has(id)), named('keywords')];
  if (known.size > 0) context.output.warn(`${[...known].join(', ')}: ${getKnownIntentHint()}`);
  if (changes.length > 0) {
    context.output.warn(
      `${changes.length} operations still have no final outcome: ${changes.join(', ')}. Try again later: orgchat ops resume --all`,
    );
  }
  for (const { error, kind } of outcomes) if (kind === undefined && error) context.output.warn(error.message);
  if (keywords.length > 0) {
    context.output.warn(
      `${keywords.join(', ')}: ${notResumed} ${getKeywordOutcomeHint(keywords.length === 1 ? `${keywords[0]}` : 'ID')}`,
    );
  }
}

/** Whether the journal in the state directory was selected by name. */
const selectsFileJournal = ({ options, env }: Context): boolean =>
  (options.journal ?? env.ORGCHAT_JOURNAL) === 'file';

function migrate(command: Command): void {
  const migrating = command
    .command('migrate')
    .description('create the tables of a shared journal, once per database; safe to repeat');
  action(migrating, async (context) => {
    const shared = await findSharedJournal(context.options, context.env, context.output);
    if (shared === undefined)
      throw usageError(
        selectsFileJournal(context)
          ? 'The selected journal is "file", the one in the state directory, which has no tables.'
          : 'No shared journal configured: --journal and ORGCHAT_JOURNAL are not set, and no profile with a journal is in use.',
        'Set ORGCHAT_JOURNAL to a URL such as postgres://USER:PASSWORD@HOST/DATABASE.',
      );
    try {
      await shared.migrate();
    } finally {
      await shared.close();
    }
    await context.output.one({ journal: shared.name, migrated: true });
  });
  examples(
    migrating,
    ['orgchat ops migrate', 'with ORGCHAT_JOURNAL set'],
    ['orgchat ops migrate --journal postgres://ci@db.example.com/orgchat'],
  );
}
