import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { OrgChatError } from '@orgchat/sdk';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { journalDirectory } from '../settings/directories.ts';

/** Finds the journal files of an operation; undefined if the journal cannot be read. */
function findJournalFiles(operationId: string | undefined): string[] | undefined {
  if (operationId === undefined) return [];
  const folder = journalDirectory();
  try {
    // Settled entries lie in folders of days.
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => basename(name).startsWith(`${operationId}.`) && name.endsWith('.json'),
    );
    return names.map((name) => join(folder, name));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : undefined;
  }
}

/**
 * The hint if a change could not be written to the journal. Another directory is suggested only if this one has no
 * entry of the operation: otherwise the change would be sent again.
 */
function getJournalHint(reason: string | undefined, files: readonly string[] | undefined): string {
  const folder = journalDirectory();
  if (files === undefined)
    return `Make ${folder} readable and writable. Do not switch to another ORGCHAT_STATE_DIR: this change may have been sent before.`;
  if (reason === 'journal-busy') return 'Wait for that process, then try again.';
  if (reason === 'journal-entry-unusable')
    return `Check the outcome of that operation, then move its file out of the journal: ${files.join(', ') || folder}`;
  return files.length === 0
    ? 'Changes are sent only after they are in the journal. Set ORGCHAT_STATE_DIR to a writable directory.'
    : `The journal already has this operation in ${files.join(', ')}. Make the file readable and writable, or check the outcome and move the file away. Then try again.`;
}

/** A write that was not sent because it could not be journaled. */
export function fromJournalError(error: OrgChatError, cause: Error): CliError {
  return new CliError(`The journal could not record the write, so nothing was sent: ${cause.message}`, {
    code: error.code,
    exit: exitCodes.failed,
    hint: getJournalHint(error.reason, findJournalFiles(error.operationId)),
    operationId: error.operationId,
    cause: error,
  });
}
