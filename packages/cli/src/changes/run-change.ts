import type { ChangeOutcome } from '@orgchat/sdk';
import type { Command } from 'commander';
import { uuid } from '../args/value-parsers.ts';
import type { Context } from '../define-command.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';

export interface ChangeOptions {
  readonly operationId?: string;
  readonly intent?: string;
  readonly dryRun?: true;
}

export function addChangeOptions(command: Command): Command {
  return command
    .option(
      '--operation-id <uuid>',
      'operation id; re-running with the same id applies the change once',
      uuid,
    )
    .option('--intent <name>', 'derive the operation id from this name')
    .option('--dry-run', 'print the request without sending it');
}

/** The id of the intended change: given, derived from a name, or undefined for a new one. */
export async function resolveOperationId(options: ChangeOptions): Promise<string | undefined> {
  if (options.operationId !== undefined && options.intent !== undefined) {
    throw usageError('--operation-id and --intent cannot be used together.', 'Pass only one of them.');
  }
  if (options.intent === undefined) return options.operationId;
  const { operationIdFrom } = await import('@orgchat/sdk');
  return operationIdFrom('orgchat cli', options.intent);
}

type UncheckedChange = Readonly<Record<string, unknown>>;

/**
 * Sends the change of a command. `make` builds it and reads what it needs. If the journal already has the operation
 * id, the stored change is sent again, provided that `matches` finds this run's change in it.
 */
export async function runChange(
  context: Context,
  options: ChangeOptions,
  make: () => Promise<UncheckedChange>,
  matches: (known: UncheckedChange) => Promise<boolean> | boolean,
): Promise<void> {
  const operationId = await resolveOperationId(options);
  const client = await context.client();
  const known = operationId === undefined ? undefined : await findJournaledChange(context, operationId);
  if (known !== undefined && operationId !== undefined && !(await matches(known))) {
    throw operationIdTakenError(operationId);
  }
  const { parseChange } = await import('../resources/field-flags.ts');
  const change = parseChange(known ?? (await make()));
  if (options.dryRun) {
    context.output.note('Nothing was sent (--dry-run).');
    await context.output.one({ operationId: operationId ?? null, change });
    return;
  }
  const { data, body } = await context.interrupt.finish('the change', () =>
    client.changeChat(change, operationId === undefined ? {} : { operationId }).withResponse(),
  );
  // What is printed is what the server sent, also if its shape is not a record's.
  const { result } = Object(body) as { readonly result?: unknown };
  await printOutcome(context, { ...data, result });
}

function operationIdTakenError(operationId: string): CliError {
  return new CliError(`Operation ${operationId} was already used for a different change. Nothing was sent.`, {
    code: 'INPUT_CONFLICT',
    exit: exitCodes.conflict,
    hint: `See that change: orgchat ops show ${operationId}`,
    operationId,
  });
}

/** The change of an operation that was started and not rejected. */
async function findJournaledChange(
  context: Context,
  operationId: string,
): Promise<UncheckedChange | undefined> {
  const client = await context.client();
  const entry = await client.operations.get(operationId);
  if (entry === undefined || entry.state === 'refused' || entry.state === 'abandoned') return undefined;
  return (entry.change as UncheckedChange | undefined) ?? { action: 'not a change' };
}

/** Prints the outcome of a change. A table shows the record; other formats show the whole outcome. */
export async function printOutcome(context: Context, outcome: ChangeOutcome): Promise<void> {
  const { output } = context;
  if (output.format === 'table') {
    await output.one(outcome.result ?? { applied: outcome.applied });
    output.note(`${outcome.replayed ? 'Applied earlier' : 'Applied'} as operation ${outcome.operationId}.`);
  } else {
    await output.one(outcome);
  }
  if (!outcome.auditRecorded) output.warn('this change is missing from the audit log of the organization');
}
