import { isOpen, type OperationEntry, type OrgChatClient } from '@orgchat/sdk';
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { action, examples } from '../../define-command.ts';
import { confirm } from '../../input/prompt.ts';
import { forgetRequest } from '../../keywords/forget-request.ts';
import { isUnusableEntryError } from '../../shared-journal/from-store-error.ts';
import { requireEntry } from './require-entry.ts';

export function forget(command: Command): void {
  const forgetting = command
    .command('forget')
    .description('remove an operation from the journal without undoing it')
    .argument('<id>', 'operation id');
  action(forgetting, async (context, _options, id) => {
    const client = await context.client();
    const entry = await findReadableEntry(client, id);
    const operationId = entry?.operationId ?? id.toLowerCase();
    await confirmForgetting(context, operationId, entry);
    if (entry?.kind === 'keywords') await forgetRequest(context, entry);
    const forgotten = await client.operations.forget(operationId);
    await context.output.one({ operationId, forgotten });
  });
  examples(
    forgetting,
    ['orgchat ops forget ID'],
    ['orgchat ops forget ID --yes', 'for a keyword request, after you checked the site'],
  );
}

/** The entry of an operation; undefined if a shared journal has it and cannot read it. */
export async function findReadableEntry(
  client: OrgChatClient,
  id: string,
): Promise<OperationEntry | undefined> {
  try {
    return await requireEntry(client, id);
  } catch (error) {
    if (isUnusableEntryError(error)) return undefined;
    throw error;
  }
}

/** Asks for confirmation if the outcome of the operation is not known. */
async function confirmForgetting(
  { options }: Context,
  operationId: string,
  entry: OperationEntry | undefined,
): Promise<void> {
  if (entry === undefined)
    return confirm(
      `The entry of operation ${operationId} cannot be read, so its outcome is not known. If you forget it, it cannot be resumed, and its command may send it again. Forget it?`,
      options.yes,
    );
  if (!isOpen(entry)) return;
  const after =
    entry.kind === 'keywords' ? 'an import will resend its keywords' : 'you will not be able to resume it';
  await confirm(`Operation ${operationId} has no final outcome; ${after}. Forget it?`, options.yes);
}
