import type { Command } from 'commander';
import { action, examples } from '../action.ts';
import { addChangeOptions, type ChangeOptions, runChange } from '../changes.ts';
import { usage } from '../failure.ts';
import { readObject } from '../input.ts';
import { isUuid } from '../parsers.ts';
import { isSubset } from '../resources/subset.ts';

/** `{ operationId, change }`, or a bare change. */
function parts(file: Record<string, unknown>): {
  change: Record<string, unknown>;
  operationId: string | undefined;
} {
  const { change, operationId } = file;
  if (typeof change !== 'object' || change === null || 'action' in file)
    return { change: file, operationId: undefined };
  if (operationId !== undefined && !(typeof operationId === 'string' && isUuid(operationId))) {
    throw usage(
      'The operationId in the file is no UUID.',
      'Leave it out, or put a UUID there.',
      'INVALID_INPUT',
    );
  }
  return { change: change as Record<string, unknown>, operationId: operationId?.toLowerCase() };
}

export function configure(command: Command): void {
  command.argument('<file|->', 'a change as JSON or YAML, alone or with its operationId');
  addChangeOptions(command);
  action<ChangeOptions>(command, async (context, options, file) => {
    const { change, operationId } = parts(await readObject(file));
    const given = options.operationId ?? options.intent;
    if (operationId !== undefined && given !== undefined) {
      throw usage(
        'The file names the operation, and so do the arguments.',
        'Leave out --operation-id and --intent.',
      );
    }
    const identified = operationId === undefined ? options : { ...options, operationId };
    await runChange(
      context,
      identified,
      async () => change,
      (known) => isSubset(change, known) && isSubset(known, change),
    );
  });
  examples(
    command,
    ['orgchat change change.json'],
    [`echo '{"action":"create-tags","data":{"name":"VIP","color":"pink"}}' | orgchat change -`],
  );
}
