import { isObject } from '@orgchat/spec/is-object';
import type { Command } from 'commander';
import { isUuid } from '../args/value-parsers.ts';
import { addChangeOptions, type ChangeOptions } from '../changes/change-options.ts';
import { runChange } from '../changes/run-change.ts';
import { action, examples } from '../define-command.ts';
import { usageError } from '../errors/cli-error.ts';
import { readObject } from '../input/read-input.ts';

/** `{ operationId, change }`, or a bare change. */
function splitChangeFile(file: Record<string, unknown>): {
  change: Record<string, unknown>;
  operationId: string | undefined;
} {
  const { change, operationId } = file;
  if (!isObject(change) || 'action' in file) return { change: file, operationId: undefined };
  if (operationId !== undefined && !(typeof operationId === 'string' && isUuid(operationId))) {
    throw usageError(
      `The operationId "${String(operationId)}" in the file is not a UUID.`,
      'Remove it or use a UUID.',
      'INVALID_INPUT',
    );
  }
  return { change, operationId: operationId?.toLowerCase() };
}

export function configure(command: Command): void {
  command.argument('<file|->', 'change as JSON or YAML, optionally with its operationId');
  addChangeOptions(command);
  action<ChangeOptions>(command, async (context, options, file) => {
    const { change, operationId } = splitChangeFile(await readObject(file));
    const given = options.operationId ?? options.intent;
    if (operationId !== undefined && given !== undefined) {
      throw usageError(
        `The operation is identified both in the file (${operationId}) and on the command line (${given}).`,
        'Remove --operation-id and --intent, or remove operationId from the file.',
      );
    }
    const identified = operationId === undefined ? options : { ...options, operationId };
    await runChange(context, identified, { asked: undefined, make: async () => change });
  });
  examples(
    command,
    ['orgchat change change.json'],
    [`echo '{"action":"create-tags","data":{"name":"VIP","color":"pink"}}' | orgchat change -`],
  );
}
