import { isObject } from '@orgchat/spec/is-object';
import type { Command } from 'commander';
import { isUuid } from '../args/value-parsers.ts';
import { addChangeOptions, type ChangeOptions } from '../changes/change-options.ts';
import { runChange } from '../changes/run-change.ts';
import { action, examples } from '../define-command.ts';
import { usageError } from '../errors/cli-error.ts';
import { readObject } from '../input/read-input.ts';

const example = '{"action":"create-tags","data":{"name":"VIP","color":"pink"}}';

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

/** Whether a change expects a revision or label. */
const isGuarded = ({ expectedRevision, expectedLabel }: Record<string, unknown>): boolean =>
  expectedRevision !== undefined || expectedLabel !== undefined;

export function configure(command: Command): void {
  command.argument('<file|->', 'change as JSON or YAML, optionally with its operationId');
  addChangeOptions(command);
  action<ChangeOptions>(command, async (context, options, file) => {
    const { change, operationId } = splitChangeFile(await readObject(file, example));
    const given = options.operationId ?? options.intent;
    if (operationId !== undefined && given !== undefined) {
      throw usageError(
        `The operation is identified both in the file (${operationId}) and on the command line (${given}).`,
        'Remove --operation-id and --intent, or remove operationId from the file.',
      );
    }
    const identified = operationId === undefined ? options : { ...options, operationId };
    await runChange(context, identified, {
      asked: undefined,
      staleHint: isGuarded(change)
        ? 'The record does not have the expectedRevision and expectedLabel of the change. Read it with get, then correct the change.'
        : undefined,
      make: async () => ({ change }),
    });
  });
  examples(
    command,
    ['orgchat change change.json'],
    [`echo '${example}' | orgchat change -`],
    ['orgchat schema update-tags', 'the fields of a change, with an example'],
  );
}
