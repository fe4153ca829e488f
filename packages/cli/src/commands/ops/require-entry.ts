import { join } from 'node:path';
import type { OperationEntry, OrgChatClient } from '@orgchat/sdk';
import { isUuid } from '../../args/value-parsers.ts';
import { notFoundError, usageError } from '../../errors/cli-error.ts';
import { journalDirectory } from '../../settings/directories.ts';

/** Returns the journal entry of an operation. Throws if there is none, or if it cannot be read. */
export async function requireEntry(client: OrgChatClient, id: string): Promise<OperationEntry> {
  if (!isUuid(id))
    throw usageError(
      `"${id}" is not an operation id.`,
      'Operation ids are UUIDs. List them: orgchat ops list',
    );
  const operationId = id.toLowerCase();
  const entry = await client.operations.get(operationId);
  if (entry !== undefined) return entry;
  // For the journal in the state directory, a file that cannot be read is not an entry: it only reports it.
  const problems = await client.operations.problems();
  const problem = problems.find(({ location }) => location.startsWith(`${operationId}.`));
  if (problem !== undefined)
    throw notFoundError(
      `The journal entry of operation ${operationId} cannot be read: ${problem.message}.`,
      `Check the outcome of that operation in the app, then move its file out of the journal: ${join(journalDirectory(), problem.location)}`,
    );
  throw notFoundError(
    `No operation ${id} in the journal for this server and key.`,
    'List operations: orgchat ops list. Operations are stored per key and server.',
  );
}
