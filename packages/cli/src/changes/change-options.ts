import type { Command } from 'commander';
import { uuid } from '../args/value-parsers.ts';
import { usageError } from '../errors/cli-error.ts';
import type { Output } from '../output/output.ts';

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
    .option('--intent <name>', 'name of this change; re-running with the same name applies it once')
    .option('--dry-run', 'print the request without sending it');
}

/** Throws if --fields is to select fields of a record, and --dry-run prints requests. */
export function checkDryRun({ dryRun }: ChangeOptions, { fields }: Output): void {
  if (dryRun && fields !== undefined)
    throw usageError(
      '--fields selects fields of the record, and --dry-run prints the request.',
      'Pass only one of them.',
    );
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
