import type { ChangeOutcome } from '@orgchat/sdk';
import type { Context } from '../context.ts';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { type ChangeOptions, resolveOperationId } from './change-options.ts';

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
  const { parseChange } = await import('../resources/validate-data.ts');
  const change = parseChange(known ?? (await make()));
  if (options.dryRun) {
    context.output.note('Nothing was sent (--dry-run).');
    await context.output.one({ operationId: operationId ?? null, change });
    return;
  }
  const { data, body } = await context.interrupt.runToEnd('the change', () =>
    client.changeChat(change, operationId === undefined ? {} : { operationId }).withResponse(),
  );
  // Prints what the server sent, even if it does not have the shape of a record.
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
