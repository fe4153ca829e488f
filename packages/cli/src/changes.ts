import type { ChangeOutcome } from '@orgchat/sdk';
import type { Command } from 'commander';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure, usage } from './failure.ts';
import { uuid } from './parsers.ts';

export interface ChangeOptions {
  readonly operationId?: string;
  readonly intent?: string;
  readonly dryRun?: true;
}

export function addChangeOptions(command: Command): Command {
  return command
    .option('--operation-id <uuid>', 'the id of this change; run twice with it, it is applied once', uuid)
    .option('--intent <name>', 'the same with a name: the id is derived from it')
    .option('--dry-run', 'print what would be sent, and send nothing');
}

/** The id of the intended change: given, derived from a name, or undefined for a new one. */
export async function operationIdOf(options: ChangeOptions): Promise<string | undefined> {
  if (options.operationId !== undefined && options.intent !== undefined) {
    throw usage('--operation-id and --intent both name the change.', 'Give one of them.');
  }
  if (options.intent === undefined) return options.operationId;
  const { operationIdFrom } = await import('@orgchat/sdk');
  return operationIdFrom('orgchat cli', options.intent);
}

type Loose = Readonly<Record<string, unknown>>;

/**
 * Makes the change a command is for. `make` builds it, reading what it needs to; a change that the journal knows
 * by its id is sent again as it is there, provided `matches` finds in it what this run asks for.
 */
export async function runChange(
  context: Context,
  options: ChangeOptions,
  make: () => Promise<Loose>,
  matches: (known: Loose) => Promise<boolean> | boolean,
): Promise<void> {
  const operationId = await operationIdOf(options);
  const client = await context.client();
  const known = operationId === undefined ? undefined : await knownChange(context, operationId);
  if (known !== undefined && operationId !== undefined && !(await matches(known))) {
    throw operationTaken(operationId);
  }
  const { checkedChange } = await import('./check-change.ts');
  const change = checkedChange(known ?? (await make()));
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

function operationTaken(operationId: string): Failure {
  return new Failure(`The operation ${operationId} was another change; nothing was sent.`, {
    code: 'INPUT_CONFLICT',
    exit: exitCodes.conflict,
    hint: `See what it was: orgchat ops show ${operationId}`,
    operationId,
  });
}

/** The change of an operation that was begun and not refused. */
async function knownChange(context: Context, operationId: string): Promise<Loose | undefined> {
  const client = await context.client();
  const entry = await client.operations.get(operationId);
  if (entry === undefined || entry.state === 'refused' || entry.state === 'abandoned') return undefined;
  return (entry.change as Loose | undefined) ?? { action: 'not a change' };
}

/** What became of a change. A table shows the record; programs get the whole outcome. */
export async function printOutcome(context: Context, outcome: ChangeOutcome): Promise<void> {
  const { output } = context;
  if (output.format === 'table') {
    await output.one(outcome.result ?? { applied: outcome.applied });
    output.note(`${outcome.replayed ? 'Applied earlier' : 'Applied'} as operation ${outcome.operationId}.`);
  } else {
    await output.one(outcome);
  }
  if (!outcome.auditRecorded) output.warn("the organization's audit did not record this change");
}
