import { type ChangeOutcome, isOpen, type OperationEntry } from '@orgchat/sdk';
import { endWaitsOnly } from '@orgchat/sdk/internal';
import type { Context } from '../context.ts';
import { explaining } from '../error-conversion/error-hints.ts';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import type { Row } from '../output/output.ts';
import { findResultFields } from '../output/printed-fields.ts';
import { type ChangeDocument, createUnchanged, flattenChange } from './change-document.ts';
import { type ChangeOptions, checkDryRun, resolveOperationId } from './change-options.ts';
import { changesNothing } from './changes-nothing.ts';
import { createFingerprint } from './fingerprint.ts';

type UncheckedChange = Readonly<Record<string, unknown>>;

/** The change of a command. */
export interface PlannedChange {
  /**
   * What the command asks for, with names as they were typed: the journal recognizes the same command by it, even if
   * the records changed or were deleted since. Undefined if the whole change was given; then its input is compared.
   */
  readonly asked: readonly unknown[] | undefined;
  /** Fields of the change that may be given or left out. A journaled change must have those that are given. */
  readonly pinned?: () => Promise<UncheckedChange> | UncheckedChange;
  /** The hint if the server finds another revision or label; undefined if the command read both itself. */
  readonly staleHint?: string | undefined;
  /** Builds the change, and reads what it needs. */
  readonly make: () => Promise<MadeChange>;
}

/** A change that is ready to be checked and sent. */
interface MadeChange {
  readonly change: UncheckedChange;
  /** The record that it updates, as it was read: a change that leaves it as it is is not sent. */
  readonly before?: Row;
}

/** Sends the change of a command. If the journal already has it under this operation id, it is sent again. */
export const runChange = (context: Context, options: ChangeOptions, planned: PlannedChange): Promise<void> =>
  explaining({ stale: planned.staleHint }, () => sendChange(context, options, planned));

async function sendChange(
  context: Context,
  options: ChangeOptions,
  { asked, pinned = () => ({}), make }: PlannedChange,
): Promise<void> {
  checkDryRun(options, context.output);
  const operationId = await resolveOperationId(options);
  const fingerprint = asked && createFingerprint(asked);
  const known = operationId === undefined ? undefined : await findJournaledChange(context, operationId);
  const isSame = known !== undefined && fingerprint !== undefined && known.fingerprint === fingerprint;
  const isTaken = known?.fingerprint !== undefined && asked !== undefined && !isSame;
  if (known !== undefined && (isTaken || (isSame && !hasFields(known.change, await pinned())))) {
    throw operationIdTakenError(known.operationId);
  }
  const { parseChange } = await import('../resources/validate-data.ts');
  const made: MadeChange = isSame ? { change: { ...known.change } } : await make();
  const change = parseChange(made.change);
  context.requireFields(await findResultFields(change));
  // An id that was given is used up, so that no later command applies another change under it.
  if (operationId === undefined && made.before !== undefined && changesNothing({ ...change }, made.before))
    return printUnchanged(context, made.before);
  if (options.dryRun) {
    context.output.note('Nothing was sent (--dry-run).');
    await context.output.one({ operationId: operationId ?? null, change });
    return;
  }
  const client = await context.client();
  const call = { operationId, fingerprint, ...endWaitsOnly(context.interrupt.signal) };
  const { data, body } = await context.interrupt.runToEnd('the change', () =>
    client.changeChat(change, call).withResponse(),
  );
  // Without the record, it prints what the server sent, even if that does not have the shape of a record.
  const { result } = Object(body) as { readonly result?: unknown };
  await printOutcome(context, { ...data, result: data.result ?? result });
}

function operationIdTakenError(operationId: string): CliError {
  return new CliError(`Operation ${operationId} was already used for a different change. Nothing was sent.`, {
    code: 'INPUT_CONFLICT',
    exit: exitCodes.conflict,
    hint: `See that change: orgchat ops show ${operationId}`,
    operationId,
  });
}

/** The entry of an operation that was started, and whose id cannot be used for another change. */
async function findJournaledChange(
  context: Context,
  operationId: string,
): Promise<OperationEntry | undefined> {
  const client = await context.client();
  const entry = await client.operations.get(operationId);
  return entry && (entry.state === 'applied' || isOpen(entry)) ? entry : undefined;
}

/** Whether a change has all values that are given. */
function hasFields(change: object | undefined, given: UncheckedChange): boolean {
  const has: UncheckedChange = { ...change };
  return Object.entries(given).every(([name, value]) => value === undefined || has[name] === value);
}

/** Prints the outcome of a change. */
export async function printOutcome(context: Context, outcome: ChangeOutcome): Promise<void> {
  const { operationId, replayed, auditRecorded } = outcome;
  await printChange(context, { outcome: 'applied', ...outcome });
  if (showsRecord(context))
    context.output.note(`${replayed ? 'Applied earlier' : 'Applied'} as operation ${operationId}.`);
  if (!auditRecorded) context.output.warn('this change is missing from the audit log of the organization');
}

/** Prints that a change was not sent, because the record is already as requested. */
async function printUnchanged(context: Context, before: Row): Promise<void> {
  await printChange(context, createUnchanged(before));
  context.output.note('Nothing was sent: the record is already like this.');
}

const showsRecord = ({ output }: Context): boolean =>
  output.format === 'table' || output.fields !== undefined;

/**
 * Prints the document of a change. A table shows the record, and --fields names fields of the record in every format, or of
 * the change.
 */
async function printChange({ output }: Context, document: ChangeDocument): Promise<void> {
  if (output.fields !== undefined) return output.one(flattenChange(document));
  const { result, applied } = document;
  await output.one(output.format === 'table' ? (result ?? { applied }) : document);
}
